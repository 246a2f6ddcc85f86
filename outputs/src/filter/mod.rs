//! Which trades are asked for: expressions such as `mint:A || (user:B && side:buy)`.
//!
//! An expression is a text of the engine's own filter language, which block filters are written in, and means there
//! what it means here: the engine leaves out blocks by the keys that [`TradeKeys::index_keys`] gave for them, and
//! [`Filter::matches`] then decides for each trade. A block is never left out for whose trades the filter would
//! match, since an expression has no negation: what one trade fulfils, the keys of its block fulfil too.

mod error;
mod parse;
mod trades;

use core::fmt;

use buffa::DecodeError;
pub use error::{FilterError, FilteringError};
pub use trades::{filtered_trades, index_keys};

use crate::wire::{Value, for_each_field};

/// What a key of an expression compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Mint of the coin.
    Mint,
    /// Who trades.
    User,
    /// Creator of the coin; unknown in trades before layout V2, which no value matches.
    Creator,
    /// Program of the outer instruction, Pump itself included.
    Router,
    /// Mint that the coin is priced in; the zero key means SOL.
    Quote,
    /// `buy` or `sell`.
    Side,
}

impl Column {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Mint,
        Self::User,
        Self::Creator,
        Self::Router,
        Self::Quote,
        Self::Side,
    ];

    /// Its name in an expression.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mint => "mint",
            Self::User => "user",
            Self::Creator => "creator",
            Self::Router => "router",
            Self::Quote => "quote",
            Self::Side => "side",
        }
    }
}

/// An expression that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The column has this value.
    Is(Column, String),
    /// All of these hold.
    And(Vec<Filter>),
    /// One of these holds.
    Or(Vec<Filter>),
}

impl Filter {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// When it is empty or malformed, names an unknown column, an address that is no 32 bytes of base58, or a side
    /// that is neither `buy` nor `sell`.
    pub fn parse(expression: &str) -> Result<Self, FilterError> {
        parse::parse(expression)
    }

    /// Whether a trade is asked for.
    pub fn matches(&self, trade: &TradeKeys<'_>) -> bool {
        match self {
            Self::Is(column, value) => trade.get(*column) == Some(value),
            Self::And(all) => all.iter().all(|one| one.matches(trade)),
            Self::Or(any) => any.iter().any(|one| one.matches(trade)),
        }
    }
}

/// As an expression that reads the same, with parentheses wherever they help.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, operator) = match self {
            Self::Is(column, value) => return write!(f, "{}:{value}", column.name()),
            Self::And(parts) => (parts, " && "),
            Self::Or(parts) => (parts, " || "),
        };
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                f.write_str(operator)?;
            }
            match part {
                Self::Is(..) => write!(f, "{part}")?,
                _ => write!(f, "({part})")?,
            }
        }
        Ok(())
    }
}

/// What a trade's row holds in the columns that filters compare; empty where the row has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TradeKeys<'a> {
    mint: &'a str,
    user: &'a str,
    creator: &'a str,
    router: &'a str,
    quote: &'a str,
    is_buy: bool,
}

impl<'a> TradeKeys<'a> {
    /// Reads them off an encoded `pumpfun.v1.Trade`.
    ///
    /// # Errors
    ///
    /// When it is not valid protobuf.
    // Not worth its code in both modules that read rows.
    #[inline(never)]
    pub fn of_row(row: &'a [u8]) -> Result<Self, DecodeError> {
        let mut keys = Self::default();
        for_each_field(row, |field, value| {
            let column = match field {
                10 => &mut keys.router,
                12 => &mut keys.mint,
                13 => &mut keys.user,
                25 => &mut keys.creator,
                39 => &mut keys.quote,
                14 => {
                    keys.is_buy = matches!(value, Value::Varint(1..));
                    return Ok(());
                }
                _ => return Ok(()),
            };
            *column = str::from_utf8(value.bytes(field)?).map_err(|_| DecodeError::InvalidUtf8)?;
            Ok(())
        })?;
        Ok(keys)
    }

    /// What stands in a column; `None` where nothing does.
    pub fn get(&self, column: Column) -> Option<&'a str> {
        let value = match column {
            Column::Mint => self.mint,
            Column::User => self.user,
            Column::Creator => self.creator,
            Column::Router => self.router,
            Column::Quote => self.quote,
            Column::Side if self.is_buy => "buy",
            Column::Side => "sell",
        };
        Some(value).filter(|value| !value.is_empty())
    }

    /// The keys by which an index finds the trade's block, such as `side:buy`.
    pub fn index_keys(&self) -> impl Iterator<Item = String> {
        Column::ALL.into_iter().filter_map(|column| {
            let value = self.get(column)?;
            Some(format!("{}:{value}", column.name()))
        })
    }
}
