//! Which rows of a block are asked for: by outcome, form and filter, natively.

use anyhow::{Result, ensure};
use buffa::view::LazyMessageView;
use pumpfun_outputs::filter::{Column, Filter, filtered_trades};
use pumpfun_trades::block::Block;
use pumpfun_trades::pb::v1::TradesLazyView;
use pumpfun_trades::row::{self, Base58, RawBytes};
use pumpfun_trades::transaction::Outcomes;
use serde_json::{Value, json};

use crate::schema::Module;

/// Filters of trades, as flags. Each takes several values, of which one must hold; all flags that are given must hold.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct FilterArgs {
    /// Only trades that this expression asks for, such as `mint:A || (user:B && side:buy)`: the grammar of the module
    /// filtered_trades.
    #[arg(long, value_name = "EXPRESSION", help_heading = "Filters of trades")]
    filter: Option<String>,

    /// Only trades of these coins.
    #[arg(
        long,
        value_name = "ADDRESS",
        value_delimiter = ',',
        help_heading = "Filters of trades"
    )]
    mint: Vec<String>,

    /// Only trades of these users.
    #[arg(
        long,
        value_name = "ADDRESS",
        value_delimiter = ',',
        help_heading = "Filters of trades"
    )]
    user: Vec<String>,

    /// Only trades of coins of these creators.
    #[arg(
        long,
        value_name = "ADDRESS",
        value_delimiter = ',',
        help_heading = "Filters of trades"
    )]
    creator: Vec<String>,

    /// Only trades through these programs.
    #[arg(
        long,
        value_name = "ADDRESS",
        value_delimiter = ',',
        help_heading = "Filters of trades"
    )]
    router: Vec<String>,

    /// Only trades of coins that are priced in these mints; the zero key (32 times `1`) is SOL.
    #[arg(
        long,
        value_name = "ADDRESS",
        value_delimiter = ',',
        help_heading = "Filters of trades"
    )]
    quote: Vec<String>,

    /// Only buys, or only sells.
    #[arg(long, value_name = "buy|sell", help_heading = "Filters of trades")]
    side: Option<String>,
}

impl FilterArgs {
    /// The expression that the flags make together; `None` where there are none.
    ///
    /// # Errors
    ///
    /// When a value is none, as the expression that it makes says it.
    pub fn expression(&self) -> Result<Option<String>> {
        let side: Vec<_> = self.side.iter().cloned().collect();
        let flags = [
            (Column::Mint, &self.mint),
            (Column::User, &self.user),
            (Column::Creator, &self.creator),
            (Column::Router, &self.router),
            (Column::Quote, &self.quote),
            (Column::Side, &side),
        ];
        let mut parts: Vec<String> = self
            .filter
            .iter()
            .map(|filter| format!("({filter})"))
            .collect();
        // Before it is put in parentheses, so that an error shows the place in what was given.
        if let Some(filter) = &self.filter {
            Filter::parse(filter)?;
        }
        for (column, values) in flags {
            let keys: Vec<_> = values
                .iter()
                .map(|value| format!("{}:{value}", column.name()))
                .collect();
            for key in &keys {
                Filter::parse(key)?;
            }
            if !keys.is_empty() {
                parts.push(format!("({})", keys.join(" || ")));
            }
        }
        Ok((!parts.is_empty()).then(|| parts.join(" && ")))
    }
}

/// What is asked for of each block.
#[derive(Clone, Debug)]
pub struct Selection {
    outcomes: Outcomes,
    raw: bool,
    /// With the expression that it was read from.
    filter: Option<(String, Filter)>,
}

/// The rows of a block.
pub struct Selected {
    /// As the output of [`Selection::module`].
    pub rows: Vec<u8>,
    /// Events that could not be read, where the rows do not hold them.
    pub left_out_unread: Option<u64>,
}

impl Selection {
    /// All rows of transactions of these outcomes, keys as bytes if `raw`; or the trades that a filter asks for.
    ///
    /// # Errors
    ///
    /// When the filter is none, or asked for over keys as bytes: filters compare text.
    pub fn new(outcomes: Outcomes, raw: bool, expression: Option<String>) -> Result<Self> {
        ensure!(
            !(raw && expression.is_some()),
            "--raw and filters do not go together: a filter compares keys as text"
        );
        let filter = match expression {
            Some(expression) => {
                let filter = Filter::parse(&expression)?;
                Some((expression, filter))
            }
            None => None,
        };
        Ok(Self {
            outcomes,
            raw,
            filter,
        })
    }

    /// The module whose output has the same form.
    pub fn module(&self) -> Module {
        match (&self.filter, self.raw) {
            (Some(_), _) => Module::FilteredTrades,
            (None, true) => Module::MapRawTrades,
            (None, false) => Module::MapEvents,
        }
    }

    /// What is asked for, in words that stay the same from one version of the tool to the next.
    pub fn description(&self) -> Value {
        json!({
            "failed": self.outcomes == Outcomes::All,
            "raw": self.raw,
            "filter": self.filter.as_ref().map(|(expression, _)| expression),
        })
    }

    /// The rows of a block.
    ///
    /// # Errors
    ///
    /// When the block, or a transaction in it that names Pump, is not valid protobuf.
    pub fn select(&self, block: &[u8]) -> Result<Selected> {
        let block = Block::decode(block)?;
        let mut left_out_unread = None;
        let rows = match &self.filter {
            // Trades and Events begin alike, and a filter reads no more than that.
            Some((_, filter)) => {
                let trades = row::encode::<Base58>(&block, self.outcomes)?;
                // Whoever filters would not see that one of the trades asked for may be among them.
                let unread = TradesLazyView::decode_lazy(&trades)?.raw_events.len();
                left_out_unread = Some(unread as u64);
                filtered_trades(filter, &trades)?
            }
            None if self.raw => row::encode::<RawBytes>(&block, self.outcomes)?,
            None => row::encode_events(&block, self.outcomes)?,
        };
        Ok(Selected {
            rows,
            left_out_unread,
        })
    }
}
