//! Text → expression, by the grammar of the engine's block filters:
//!
//! ```text
//! either = all ( `||` all )*
//! all    = one ( `&&`? one )*            ASCII white space alone means `&&`
//! one    = `(` either `)` | key
//! key    = `"` … `"` | `'` … `'` | characters without white space, quotes and parentheses
//! ```
//!
//! A key is `column:value`. Engines take any text for a key and so find nothing by one that is misspelt; here each is
//! checked. Where engines differ (an operator without spaces around it), the expression is refused.

use super::error::Fault;
use super::{Column, Filter, FilterError};

/// Parentheses that may stand inside of each other: each costs stack.
const MAX_DEPTH: usize = 100;

pub(super) fn parse(expression: &str) -> Result<Filter, FilterError> {
    let mut parser = Parser {
        expression,
        rest: expression,
    };
    let parsed = parser.either(0).and_then(|filter| match parser.peek() {
        None => Ok(filter),
        Some(_) => Err(parser.fault(Fault::NeverOpened)),
    });
    parsed.map_err(|(place, fault)| {
        let fault = match fault {
            Fault::KeyExpected if expression.trim().is_empty() => Fault::Empty,
            fault => fault,
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

struct Parser<'a> {
    expression: &'a str,
    /// What was not read yet.
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn either(&mut self, depth: usize) -> Result<Filter, Failure> {
        let mut any = vec![self.all(depth)?];
        while self.take("||") {
            any.push(self.all(depth)?);
        }
        Ok(joined(any, Filter::Or))
    }

    fn all(&mut self, depth: usize) -> Result<Filter, Failure> {
        let mut all = vec![self.one(depth)?];
        loop {
            let and = self.take("&&");
            if !and && (matches!(self.peek(), None | Some(')')) || self.rest.starts_with("||")) {
                return Ok(joined(all, Filter::And));
            }
            all.push(self.one(depth)?);
        }
    }

    fn one(&mut self, depth: usize) -> Result<Filter, Failure> {
        let Some(first) = self.peek() else {
            return Err(self.fault(Fault::KeyExpected));
        };
        let begin = self.place();
        match first {
            '(' if depth == MAX_DEPTH => Err(self.fault(Fault::TooDeep(MAX_DEPTH))),
            '(' => {
                self.skip(first);
                let inner = self.either(depth + 1)?;
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
            _ if first == ')' || self.rest.starts_with("||") || self.rest.starts_with("&&") => {
                Err(self.fault(Fault::KeyExpected))
            }
            _ => {
                let end = self
                    .rest
                    .find(|c: char| c.is_ascii_whitespace() || "\"'()".contains(c))
                    .unwrap_or(self.rest.len());
                let (key, behind) = self.rest.split_at(end);
                self.rest = behind;
                for operator in ["||", "&&"] {
                    if let Some(inside) = key.find(operator) {
                        return Err((begin + inside, Fault::OperatorTouchesKey(operator)));
                    }
                }
                checked(key, begin)
            }
        }
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace());
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
        return Err((place, Fault::NoColumn(key.to_owned())));
    };
    let Some(column) = Column::ALL.into_iter().find(|column| column.name() == name) else {
        return Err((place, Fault::UnknownColumn(name.to_owned())));
    };
    let value_place = place + name.len() + 1;
    match column {
        Column::Side if !["buy", "sell"].contains(&value) => {
            Err((value_place, Fault::NoSide(value.to_owned())))
        }
        Column::Side => Ok(Filter::Is(column, value.to_owned())),
        // 32 bytes have one text only, so that texts can be compared from here on.
        _ => match base58::decode_32(value) {
            Ok(_) => Ok(Filter::Is(column, value.to_owned())),
            Err(_) => Err((value_place, Fault::NoAddress(value.to_owned()))),
        },
    }
}
