//! Any text, taken for a filter's expression.
#![no_main]

use pumpfun_outputs::filter::{Column, Filter, TradeKeys};

libfuzzer_sys::fuzz_target!(|expression: &str| {
    let filter = match Filter::parse(expression) {
        Ok(filter) => filter,
        Err(error) => {
            let shown = error.to_string();
            assert!(shown.starts_with("filter: character "), "{shown}");
            // Whatever is in the expression, what is said of it stays short but for the word at fault.
            assert!(shown.len() < 2000 + expression.len(), "{shown}");
            return;
        }
    };
    let shown = filter.to_string();
    assert_eq!(Filter::parse(&shown).as_ref(), Ok(&filter), "{shown}");
    check_shape(&filter);
    // A trade without anything but its side is asked for by sides alone.
    let trade = TradeKeys::default();
    assert_eq!(filter.matches(&trade), sells(&filter));
});

/// No list of one or none: each would read another way than it was written.
fn check_shape(filter: &Filter) {
    if let Filter::And(parts) | Filter::Or(parts) = filter {
        assert!(parts.len() > 1);
        parts.iter().for_each(check_shape);
    }
}

fn sells(filter: &Filter) -> bool {
    match filter {
        Filter::Is(column, value) => *column == Column::Side && value == "sell",
        Filter::And(parts) => parts.iter().all(sells),
        Filter::Or(parts) => parts.iter().any(sells),
    }
}
