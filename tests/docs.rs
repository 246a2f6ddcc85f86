//! Papers that must stay true: the field tables of docs/schema.md, and that both schemas are one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A field of a message: number, name, type, comment.
#[derive(Debug, PartialEq)]
struct Field {
    number: u32,
    name: String,
    kind: String,
    comment: String,
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The fields of a message, read off the schema's lines.
fn fields(schema: &str, message: &str) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut comment = Vec::new();
    let mut options = false;
    let start = format!("message {message} {{");
    for line in schema
        .lines()
        .skip_while(|line| line.trim() != start)
        .skip(1)
    {
        // Annotations for SQL are no part of what a field means.
        if line.starts_with("  option (") || options {
            options = !line.starts_with("  };");
            continue;
        }
        let line = line.trim();
        let line = line.split_once(" [(").map_or(line, |(field, _)| field);
        if line == "}" {
            break;
        } else if let Some(text) = line.strip_prefix("// ") {
            comment.push(text);
        } else {
            let (declaration, number) = line.trim_end_matches(';').split_once(" = ").unwrap();
            let (kind, name) = declaration.rsplit_once(' ').unwrap();
            fields.push(Field {
                number: number.parse().unwrap(),
                name: name.into(),
                kind: kind.into(),
                comment: std::mem::take(&mut comment).join(" "),
            });
        }
    }
    assert!(!fields.is_empty(), "{message}");
    fields
}

fn schema(file: &str) -> String {
    fs::read_to_string(repository("proto/pumpfun/v1").join(file)).unwrap()
}

#[test]
fn the_tables_of_the_schema_s_paper_are_those_of_the_schema() {
    let path = repository("docs/schema.md");
    let paper = fs::read_to_string(&path).unwrap();
    let mut fresh = paper.clone();
    let papers: [(&str, &[&str]); 3] = [
        ("trades.proto", &["Trade", "TradeShareholder", "RawEvent"]),
        (
            "events.proto",
            &[
                "Creation",
                "Completion",
                "PostCompletionBuy",
                "Migration",
                "CreatorChange",
                "MayhemUpdate",
                "FeeCollection",
                "FeeSweep",
            ],
        ),
        (
            "transactions.proto",
            &["PumpTransactions", "PumpTransaction"],
        ),
    ];
    for (file, message) in papers
        .into_iter()
        .flat_map(|(file, messages)| messages.iter().map(move |message| (file, *message)))
    {
        let begin = format!("<!-- fields of {message} -->\n");
        let at = fresh.find(&begin).expect(message) + begin.len();
        let end = at + fresh[at..].find("<!-- end -->").unwrap();
        let mut table = String::from("\n| number | field | type | meaning |\n|---|---|---|---|\n");
        for Field {
            number,
            name,
            kind,
            comment,
        } in fields(&schema(file), message)
        {
            // The first eleven are Trade's, word by word.
            if file != "events.proto" || number > 11 {
                writeln!(table, "| {number} | `{name}` | {kind} | {comment} |").unwrap();
            }
        }
        table.push('\n');
        fresh.replace_range(at..end, &table);
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &fresh).unwrap();
    }
    assert!(
        paper == fresh,
        "docs/schema.md is not what the schema says: UPDATE_DOCS=1 cargo test --test docs"
    );
}

#[test]
fn the_schema_with_bytes_is_the_schema_with_strings() {
    const KEYS: [&str; 9] = [
        "signature",
        "fee_payer",
        "outer_program",
        "mint",
        "user",
        "fee_recipient",
        "creator",
        "quote_mint",
        "address",
    ];
    for message in ["Trade", "TradeShareholder", "RawEvent"] {
        let mut text = fields(&schema("trades.proto"), message);
        let raw = fields(&schema("raw_trades.proto"), message);
        for field in &mut text {
            if KEYS.contains(&field.name.as_str()) {
                field.kind = field.kind.replace("string", "bytes");
            }
        }
        let shape = |fields: &[Field]| {
            fields
                .iter()
                .map(|f| (f.number, f.name.clone(), f.kind.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(shape(&raw), shape(&text), "{message}");
    }
}
