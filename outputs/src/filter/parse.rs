//! Text → expression, by the grammar of the engine's block filters:
//!
//! ```text
//! either = all ( `||` all )*
//! all    = one ( `&&`? one )*            white space alone means `&&`
//! one    = `(` either `)` | key
//! key    = `"` … `"` | `'` … `'` | characters without white space, quotes and parentheses
//! ```
//!
//! White space is a space, a tab or a line feed. A key is `column:value`. Engines take any text for a key and so find
//! nothing by one that is misspelt; here each is checked. Where engines differ, the expression is refused: an operator
//! that touches a key, other white space, neighbours without anything between them, and lengths beyond what one reads.

use super::error::{Fault, shown};
use super::{Column, Filter, FilterError};

/// Parentheses that may stand inside of each other: each costs stack.
const MAX_NESTING: usize = 100;

/// What engines bear: the alternatives to the left on each open level, and the parentheses around, together.
const MAX_DEPTH: usize = 2_500;

/// Parts of one `&&` that engines can count.
const MAX_PARTS: usize = 65_535;

pub(super) fn parse(expression: &str) -> Result<Filter, FilterError> {
    let mut parser = Parser {
        expression,
        rest: expression,
    };
    let parsed = parser
        .either(Depth::default())
        .and_then(|filter| match parser.peek() {
            None => Ok(filter),
            Some(_) => Err(parser.fault(Fault::NeverOpened)),
        });
    parsed.map_err(|(place, fault)| {
        let (place, fault) = match fault {
            Fault::KeyExpected if expression.trim().is_empty() => (0, Fault::Empty),
            fault => (place, fault),
        };
        let before = expression.get(..place).unwrap_or(expression);
        FilterError {
            position: before.chars().count(),
            expression: expression.to_owned(),
            fault,
        }
    })
}

/// A place in the expression, in bytes, and what is wrong there.
type Failure = (usize, Fault);

/// How deep the parser stands.
#[derive(Clone, Copy, Default)]
struct Depth {
    /// Parentheses around.
    nesting: usize,
    /// As engines count: see [`MAX_DEPTH`].
    counted: usize,
}

struct Parser<'a> {
    expression: &'a str,
    /// What was not read yet.
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn either(&mut self, mut depth: Depth) -> Result<Filter, Failure> {
        let mut any = vec![self.all(depth)?];
        while self.take("||") {
            depth.counted += 1;
            if depth.counted > MAX_DEPTH {
                return Err(self.fault(Fault::TooLong("||", MAX_DEPTH)));
            }
            any.push(self.all(depth)?);
        }
        Ok(joined(any, Filter::Or))
    }

    fn all(&mut self, depth: Depth) -> Result<Filter, Failure> {
        let mut all = vec![self.one(depth)?];
        loop {
            let before = self.rest.len();
            let and = self.take("&&");
            if !and && (matches!(self.peek(), None | Some(')')) || self.rest.starts_with("||")) {
                return Ok(joined(all, Filter::And));
            }
            if !and && self.rest.len() == before {
                let fault = match self.peek() {
                    Some(c) if is_other_space(c) => Fault::OtherSpace(c),
                    _ => Fault::NothingBetween,
                };
                return Err(self.fault(fault));
            }
            if all.len() == MAX_PARTS {
                return Err(self.fault(Fault::TooLong("&&", MAX_PARTS)));
            }
            all.push(self.one(depth)?);
        }
    }

    fn one(&mut self, depth: Depth) -> Result<Filter, Failure> {
        let Some(first) = self.peek() else {
            return Err(self.fault(Fault::KeyExpected));
        };
        let begin = self.place();
        match first {
            '(' if depth.nesting == MAX_NESTING => Err(self.fault(Fault::TooDeep(MAX_NESTING))),
            '(' => {
                self.skip(first);
                let inner = self.either(Depth {
                    nesting: depth.nesting + 1,
                    counted: depth.counted + 1,
                })?;
                match self.peek() {
                    Some(')') => {
                        self.skip(')');
                        Ok(inner)
                    }
                    _ => Err((begin, Fault::NeverClosed('('))),
                }
            }
            '"' | '\'' => {
                self.skip(first);
                let (key, behind) = self
                    .rest
                    .split_once(first)
                    .ok_or((begin, Fault::NeverClosed(first)))?;
                let inner = self.place();
                self.rest = behind;
                checked(key, inner)
            }
            '-' => Err(self.fault(Fault::Negation)),
            _ if is_other_space(first) => Err(self.fault(Fault::OtherSpace(first))),
            _ if first == ')' || self.rest.starts_with("||") || self.rest.starts_with("&&") => {
                Err(self.fault(Fault::KeyExpected))
            }
            _ => {
                let end = self
                    .rest
                    .find(|c: char| is_space(c) || is_other_space(c) || "\"'()".contains(c))
                    .unwrap_or(self.rest.len());
                let (key, behind) = self.rest.split_at(end);
                self.rest = behind;
                let operators = ["||", "&&"].into_iter();
                let inside = operators.filter_map(|operator| Some((key.find(operator)?, operator)));
                if let Some((inside, operator)) = inside.min() {
                    return Err((begin + inside, Fault::OperatorTouchesKey(operator)));
                }
                checked(key, begin)
            }
        }
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches(is_space);
        self.rest.chars().next()
    }

    /// Takes an operator, if it comes next.
    fn take(&mut self, operator: &str) -> bool {
        self.peek();
        let behind = self.rest.strip_prefix(operator);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn skip(&mut self, first: char) {
        self.rest = self.rest.strip_prefix(first).unwrap_or(self.rest);
    }

    fn place(&self) -> usize {
        self.expression.len() - self.rest.len()
    }

    fn fault(&self, fault: Fault) -> Failure {
        (self.place(), fault)
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n')
}

/// White space that some engines take for a part of a key.
fn is_other_space(c: char) -> bool {
    c.is_ascii_whitespace() && !is_space(c)
}

/// One expression as it is, several by `operator`.
fn joined(mut parts: Vec<Filter>, operator: fn(Vec<Filter>) -> Filter) -> Filter {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            operator(parts)
        }
    }
}

/// A key, which begins at `place`.
fn checked(key: &str, place: usize) -> Result<Filter, Failure> {
    let Some((name, value)) = key.split_once(':') else {
        return Err((place, Fault::NoColumn(shown(key))));
    };
    let Some(column) = Column::ALL.into_iter().find(|column| column.name() == name) else {
        return Err((place, Fault::UnknownColumn(shown(name))));
    };
    let value_place = place + name.len() + 1;
    match column {
        Column::Side if !["buy", "sell"].contains(&value) => {
            Err((value_place, Fault::NoSide(shown(value))))
        }
        Column::Side => Ok(Filter::Is(column, value.to_owned())),
        // 32 bytes have one text only, so that texts can be compared from here on.
        _ => match base58::decode_32(value) {
            Ok(_) => Ok(Filter::Is(column, value.to_owned())),
            Err(_) => Err((value_place, Fault::NoAddress(shown(value)))),
        },
    }
}
