//! Why an expression is not understood, told with the place and an example.

use core::fmt;

use crate::error::BlockError;

/// An expression that is not understood.
#[derive(Clone, PartialEq, Eq)]
pub struct FilterError {
    /// Place in the expression, in characters from 0.
    pub(super) position: usize,
    /// The expression.
    pub(super) expression: String,
    pub(super) fault: Fault,
}

/// What is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nothing but white space.
    Empty,
    /// A key or an opening parenthesis should stand here.
    KeyExpected,
    /// A parenthesis or quote that is never closed.
    NeverClosed(char),
    /// A closing parenthesis that none opened.
    NeverOpened,
    /// Parentheses inside of each other beyond a limit.
    TooDeep(usize),
    /// An operator that stands more often than engines bear.
    TooLong(&'static str, usize),
    /// Two expressions side by side without anything between them.
    NothingBetween,
    /// White space that not every engine takes for such.
    OtherSpace(char),
    /// An operator that touches a key: some engines read both as one key, which no trade has.
    OperatorTouchesKey(&'static str),
    /// A key that begins with a minus.
    Negation,
    /// A key without a colon.
    NoColumn(String),
    /// A column that is none.
    UnknownColumn(String),
    /// A value that is no address.
    NoAddress(String),
    /// A side that is neither.
    NoSide(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("an empty expression matches nothing"),
            Self::KeyExpected => f.write_str("a key such as `side:buy` or a `(` should stand here"),
            Self::NeverClosed(what) => write!(f, "this `{what}` is never closed"),
            Self::NeverOpened => f.write_str("this `)` closes nothing"),
            Self::TooDeep(limit) => write!(f, "more than {limit} parentheses inside of each other"),
            Self::TooLong(operator, limit) => write!(
                f,
                "more than {limit} times `{operator}`: put groups into parentheses, as `(… {operator} …) {operator} (…)`"
            ),
            Self::NothingBetween => f.write_str("put a space or `&&` before this"),
            Self::OtherSpace(c) => write!(
                f,
                "`{}` is part of a key to some engines: use spaces, tabs and line feeds",
                c.escape_debug()
            ),
            Self::OperatorTouchesKey(operator) => {
                write!(
                    f,
                    "put spaces around `{operator}`: without them it is read as part of the key"
                )
            }
            Self::Negation => {
                f.write_str("there is no negation: a block that an index excludes is never read")
            }
            Self::NoColumn(key) => {
                write!(f, "`{key}` has no column: write `mint:{key}` or the like")
            }
            Self::UnknownColumn(column) => write!(
                f,
                "`{column}` is no column; there are mint, user, creator, router, quote and side"
            ),
            Self::NoAddress(value) => {
                write!(f, "`{value}` is no address: it must be 32 bytes in base58")
            }
            Self::NoSide(value) => write!(f, "`{value}` is no side: it must be buy or sell"),
        }
    }
}

/// A part of an expression as an error shows it: on one line, and cut where it is long.
pub(super) fn shown(part: &str) -> String {
    let mut text: String = part.escape_debug().take(SHOWN).collect();
    if part.chars().nth(SHOWN).is_some() {
        text.push('…');
    }
    text
}

/// What an expression can look like.
const EXAMPLE: &str = "mint:So11111111111111111111111111111111111111112 || \
     (creator:6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P && side:buy)";

/// Characters of a long expression that are shown on either side of the fault.
const SHOWN: usize = 60;

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "filter: character {}: {}", self.position + 1, self.fault)?;
        let from = self.position.saturating_sub(SHOWN);
        let shown = self.expression.chars().skip(from).take(2 * SHOWN);
        // A line break or a tab would part the mark from its place.
        let shown: String = shown
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        writeln!(f, "    {shown}")?;
        writeln!(f, "    {:>width$}", '^', width = self.position - from + 1)?;
        write!(f, "an example: {EXAMPLE}")
    }
}

/// As `Display`: the engine shows a handler's error by its `Debug`.
impl fmt::Debug for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for FilterError {}

/// Why `filtered_trades` gives nothing.
pub enum FilteringError {
    /// Its parameter is no expression.
    Filter(FilterError),
    /// Its input does not decode.
    Block(BlockError),
}

impl From<FilterError> for FilteringError {
    fn from(error: FilterError) -> Self {
        Self::Filter(error)
    }
}

impl From<BlockError> for FilteringError {
    fn from(error: BlockError) -> Self {
        Self::Block(error)
    }
}

impl fmt::Debug for FilteringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Filter(error) => fmt::Display::fmt(error, f),
            Self::Block(error) => fmt::Display::fmt(error, f),
        }
    }
}
