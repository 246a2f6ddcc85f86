//! Which rows of a block are asked for: by outcome, form and filter, natively.

use anyhow::{Result, ensure};
use pumpfun_outputs::filter::{Column, Filter, filtered_trades};
use pumpfun_trades::block::Block;
use pumpfun_trades::row::{self, Base58, RawBytes};
use pumpfun_trades::transaction::Outcomes;

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
    /// The filter that the flags make together; `None` where there are none.
    ///
    /// # Errors
    ///
    /// When a value is none, as the expression that it makes says it.
    pub fn filter(&self) -> Result<Option<Filter>> {
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
        match parts.is_empty() {
            true => Ok(None),
            false => Ok(Some(Filter::parse(&parts.join(" && "))?)),
        }
    }
}

/// What is asked for of each block.
#[derive(Clone, Debug)]
pub struct Selection {
    outcomes: Outcomes,
    raw: bool,
    filter: Option<Filter>,
}

impl Selection {
    /// All rows of transactions of these outcomes, keys as bytes if `raw`; or the trades that a filter asks for.
    ///
    /// # Errors
    ///
    /// When a filter is asked for over keys as bytes: filters compare text.
    pub fn new(outcomes: Outcomes, raw: bool, filter: Option<Filter>) -> Result<Self> {
        ensure!(
            !(raw && filter.is_some()),
            "--raw and filters do not go together: a filter compares keys as text"
        );
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

    /// The rows of a block, encoded as that module's output.
    ///
    /// # Errors
    ///
    /// When the block, or a transaction in it that names Pump, is not valid protobuf.
    pub fn rows(&self, block: &[u8]) -> Result<Vec<u8>> {
        let block = Block::decode(block)?;
        Ok(match &self.filter {
            // Trades and Events begin alike, and a filter reads no more than that.
            Some(filter) => {
                filtered_trades(filter, &row::encode::<Base58>(&block, self.outcomes)?)?
            }
            None if self.raw => row::encode::<RawBytes>(&block, self.outcomes)?,
            None => row::encode_events(&block, self.outcomes)?,
        })
    }
}
