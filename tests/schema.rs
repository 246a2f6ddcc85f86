//! What is generated from the schema, beside src/pb: the lists by which `db_out` reads rows, and the SQL tables.
//!
//! `UPDATE_DOCS=1 cargo test --test schema`, which `make protogen` runs, writes them anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use pumpfun_tool::schema::{Module, message};
use pumpfun_trades::event::fields::{EventFields, Fields, Value};
use pumpfun_trades::event::{Event, read};

/// The repeated fields of `Events` and their rows.
fn tables() -> Vec<(FieldDescriptor, MessageDescriptor)> {
    let events = Module::MapEvents.output().unwrap();
    let tables = events.fields().map(|field| {
        let row = field.kind().as_message().unwrap().clone();
        (field, row)
    });
    tables.collect()
}

/// Holds a file to what the schema gives, or writes it.
#[track_caller]
fn check(path: &str, fresh: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, fresh).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == fresh,
        "{path} is not what the schema says: run `make protogen`"
    );
}

/// A column's kind, as `db_out` and SQL see it.
#[derive(Clone, Copy)]
enum Column {
    Text,
    Unsigned32,
    Unsigned64,
    Signed,
    Bool,
    Time,
}

fn column(field: &FieldDescriptor) -> Column {
    match field.kind() {
        Kind::String => Column::Text,
        Kind::Uint32 => Column::Unsigned32,
        Kind::Uint64 => Column::Unsigned64,
        Kind::Int64 => Column::Signed,
        Kind::Bool => Column::Bool,
        Kind::Message(message) if message.full_name() == "google.protobuf.Timestamp" => {
            Column::Time
        }
        kind => panic!("{}: no column is a {kind:?}", field.full_name()),
    }
}

#[test]
fn db_out_reads_every_field_of_the_schema() {
    let mut text = String::from(
        "//! The tables and columns of `pumpfun.v1.Events`. Generated from proto/ by `make protogen`.\n\n\
         use super::Kind::{Bool, Signed, Text, Time, Unsigned};\n\
         use super::{Column, Table};\n\n\
         const fn column(number: u32, name: &'static str, kind: super::Kind, nullable: bool) -> Column {\n    \
             Column {\n        number,\n        name,\n        kind,\n        nullable,\n    }\n}\n\n\
         /// All tables, in the order of the fields of `Events`.\n\
         #[rustfmt::skip]\n\
         pub const TABLES: &[Table] = &[\n",
    );
    for (table, row) in tables() {
        writeln!(
            text,
            "    Table {{ number: {}, name: \"{}\", columns: &[",
            table.number(),
            table.name()
        )
        .unwrap();
        for field in row.fields() {
            let kind = match column(&field) {
                Column::Text => "Text",
                Column::Unsigned32 | Column::Unsigned64 => "Unsigned",
                Column::Signed => "Signed",
                Column::Bool => "Bool",
                Column::Time => "Time",
            };
            writeln!(
                text,
                "        column({}, \"{}\", {kind}, {}),",
                field.number(),
                field.name(),
                field.supports_presence()
            )
            .unwrap();
        }
        text.push_str("    ] },\n");
    }
    text.push_str("];\n");
    check("outputs/src/database/tables.rs", &text);
}

#[test]
fn postgres_has_a_table_for_every_kind_of_rows_and_one_file_of_all() {
    let mut sql = String::from(
        "-- The tables of all rows, generated from proto/ by `make protogen`; docs/schema.md says what a column holds.\n",
    );
    for (table, row) in tables() {
        write!(sql, "\nCREATE TABLE IF NOT EXISTS {} (", table.name()).unwrap();
        let mut comma = "";
        for field in row.fields() {
            let kind = match column(&field) {
                Column::Text => "TEXT",
                // Has no unsigned types.
                Column::Unsigned32 | Column::Signed => "BIGINT",
                Column::Unsigned64 => "NUMERIC(20,0)",
                Column::Bool => "BOOLEAN",
                Column::Time => "TIMESTAMPTZ",
            };
            let null = match (field.name(), field.supports_presence()) {
                ("id", _) => " PRIMARY KEY",
                (_, true) => "",
                (_, false) => " NOT NULL",
            };
            write!(sql, "{comma}\n    \"{}\" {kind}{null}", field.name()).unwrap();
            comma = ",";
        }
        sql.push_str("\n);\n");
    }
    check("sql/postgres/tables.sql", &sql);

    // What the sink is given is one file.
    let parts = ["tables", "indexes", "views"].map(|part| {
        let file = format!("sql/postgres/{part}.sql");
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
    });
    let head = "-- What the SQL sink sets up: tables.sql, indexes.sql and views.sql in one. Written by `make protogen`.\n\n";
    check(
        "sql/postgres/schema.sql",
        &format!("{head}{}", parts.join("\n")),
    );
}

/// Columns of few different values.
const LOW_CARDINALITY: [&str; 6] = [
    "outer_program",
    "quote_mint",
    "fee_recipient",
    "ix_name",
    "layout",
    "event_name",
];

/// The key by which the rows of a table are looked up, and so lie on disk.
fn looked_up_by(row: &MessageDescriptor) -> Option<&'static str> {
    ["mint", "trade_id", "creator"]
        .into_iter()
        .find(|name| row.get_field_by_name(name).is_some())
}

#[test]
fn clickhouse_has_a_table_for_every_kind_of_rows() {
    const PLACE: &str = "slot, transaction_index, instruction_index, inner_instruction_index";
    let mut sql = String::from(
        "-- The tables of all rows, generated from proto/ by `make protogen`; docs/schema.md says what a column holds, and\n\
         -- docs/sinks.md why keys, partitions and codecs are as they are.\n",
    );
    for (table, row) in tables() {
        let place = match table.name() {
            "shareholders" => "position",
            _ => PLACE,
        };
        write!(sql, "\nCREATE TABLE IF NOT EXISTS {} (", table.name()).unwrap();
        for field in row.fields() {
            let (kind, codec) = match column(&field) {
                Column::Text => ("String", "ZSTD(1)"),
                Column::Unsigned32 => ("UInt32", "T64, ZSTD(1)"),
                Column::Unsigned64 if field.name() == "slot" => ("UInt64", "Delta, ZSTD(1)"),
                Column::Unsigned64 => ("UInt64", "T64, ZSTD(1)"),
                Column::Signed => ("Int64", "Delta, ZSTD(1)"),
                Column::Bool => ("Bool", "ZSTD(1)"),
                Column::Time => ("DateTime('UTC')", "Delta, ZSTD(1)"),
            };
            let kind = match field.supports_presence() {
                true => format!("Nullable({kind})"),
                false => kind.to_owned(),
            };
            let kind = match LOW_CARDINALITY.contains(&field.name()) {
                true => format!("LowCardinality({kind})"),
                false => kind,
            };
            writeln!(sql, "\n    {} {kind} CODEC({codec}),", field.name()).unwrap();
            sql.pop();
        }
        let key = looked_up_by(&row);
        for name in ["user", "creator", "address"] {
            if row.get_field_by_name(name).is_some() && key != Some(name) {
                write!(
                    sql,
                    "\n    INDEX {name}_bloom {name} TYPE bloom_filter(0.001) GRANULARITY 1,"
                )
                .unwrap();
            }
        }
        sql.push_str("\n    INDEX slot_minmax slot TYPE minmax GRANULARITY 1");
        sql.push_str("\n)\nENGINE = ReplacingMergeTree\nPARTITION BY intDiv(slot, 6480000)\n");
        match key {
            Some(key) => writeln!(sql, "ORDER BY ({key}, {place});").unwrap(),
            None => writeln!(sql, "ORDER BY ({place});").unwrap(),
        }
    }
    writeln!(
        sql,
        "\n-- The trades once more in the order of their users, for look-ups by user. It is filled as trades is, and a row that\n\
         -- comes twice is replaced here as there.\n\
         CREATE MATERIALIZED VIEW IF NOT EXISTS trades_by_user\n\
         ENGINE = ReplacingMergeTree\n\
         PARTITION BY intDiv(slot, 6480000)\n\
         ORDER BY (user, {PLACE})\n\
         AS SELECT * FROM trades;"
    )
    .unwrap();
    check("sql/clickhouse/tables.sql", &sql);
}

/// The names of an event's fields, in the order in which it gives them.
#[derive(Default)]
struct Names(Vec<(&'static str, bool)>);

impl Fields for Names {
    fn required(&mut self, name: &'static str, _: Value<'_>) {
        self.0.push((name, false));
    }

    fn optional(&mut self, name: &'static str, _: Option<Value<'_>>) {
        self.0.push((name, true));
    }
}

#[test]
fn events_give_their_fields_in_the_order_of_the_schema() {
    /// Behind the place, layout and unknown_trailing_bytes.
    const FIRST: u32 = 14;

    fn names_of(event: &dyn EventFields) -> Vec<(&'static str, bool)> {
        let mut names = Names::default();
        event.fields(&mut names);
        names.0
    }

    // Zeros are valid in every event: empty strings, no time, false.
    let mut checked = 0;
    macro_rules! check {
        ($($Variant:ident $Event:ident => $row:literal;)*) => {
            $(
                let mut data = pumpfun_trades::event::$Event::DISCRIMINATOR.to_vec();
                data.extend([0; 300]);
                let Event::$Variant(event) = read(&data).unwrap() else {
                    panic!("{} is read as another event", $row)
                };
                assert_eq!(event.layout, *pumpfun_trades::event::$Event::LAYOUTS.last().unwrap());
                let mut expected: Vec<_> = message(concat!("pumpfun.v1.", $row))
                    .unwrap()
                    .fields()
                    .filter(|field| field.number() >= FIRST)
                    .map(|field| (field.name().to_owned(), field.supports_presence()))
                    .collect();
                if $row == "PostCompletionBuy" {
                    // Not the event's own.
                    assert_eq!(expected.remove(0), ("trade_id".to_owned(), true));
                }
                let given: Vec<_> = names_of(&event)
                    .into_iter()
                    .map(|(name, optional)| (name.to_owned(), optional))
                    .collect();
                assert_eq!(given, expected, "{}", $row);
                checked += 1;
            )*
        };
    }
    check! {
        Create CreateEvent => "Creation";
        Complete CompleteEvent => "Completion";
        PostCompleteBuy PostCompleteBuyEvent => "PostCompletionBuy";
        CompletePumpAmmMigration CompletePumpAmmMigrationEvent => "Migration";
        SetCreator SetCreatorEvent => "CreatorChange";
        AdminSetCreator AdminSetCreatorEvent => "CreatorChange";
        AdminCto AdminCtoEvent => "CreatorChange";
        SetMetaplexCreator SetMetaplexCreatorEvent => "CreatorChange";
        MigrateBondingCurveCreator MigrateBondingCurveCreatorEvent => "CreatorChange";
        UpdateMayhemVirtualParams UpdateMayhemVirtualParamsEvent => "MayhemUpdate";
        CollectCreatorFee CollectCreatorFeeEvent => "FeeCollection";
        SweepBondingCurveFee SweepBondingCurveFeeEvent => "FeeSweep";
    }
    assert_eq!(checked, 12);
}

#[test]
fn rows_of_every_kind_begin_alike() {
    let place: Vec<_> = message("pumpfun.v1.RawEvent")
        .unwrap()
        .fields()
        .take(11)
        .map(|field| (field.number(), field.name().to_owned()))
        .collect();
    for (table, row) in tables() {
        if table.name() == "shareholders" {
            continue;
        }
        let begins: Vec<_> = row
            .fields()
            .take(11)
            .map(|field| (field.number(), field.name().to_owned()))
            .collect();
        assert_eq!(begins, place, "{}", table.name());
    }
}

#[test]
fn rows_are_annotated_as_newer_sinks_want_them() {
    use prost_reflect::Value as Reflected;

    let text = |message: &prost_reflect::DynamicMessage, field: &str| {
        let value = message.get_field_by_name(field).unwrap();
        value.as_str().unwrap().to_owned()
    };
    for (table, row) in tables() {
        let pool = row.parent_pool();
        let extension = pool.get_extension_by_name("schema.table").unwrap();
        assert_eq!(extension.number(), 77_701);
        let options = row.options();
        let Reflected::Message(annotation) = &*options.get_extension(&extension) else {
            panic!("{}: no table", table.name())
        };
        assert_eq!(text(annotation, "name"), table.name());
        let clickhouse = annotation
            .get_field_by_name("clickhouse_table_options")
            .unwrap();
        let clickhouse = clickhouse.as_message().unwrap();
        let order = clickhouse.get_field_by_name("order_by_fields").unwrap();
        let first = order.as_list().unwrap()[0].as_message().unwrap();
        assert_eq!(text(first, "name"), "id", "the primary key comes first");

        let extension = pool.get_extension_by_name("schema.field").unwrap();
        assert_eq!(extension.number(), 77_702);
        let mut keys = Vec::new();
        for field in row.fields() {
            // Panics for what no column can be.
            column(&field);
            assert!(
                !field.is_list()
                    && field
                        .containing_oneof()
                        .is_none_or(|one| one.is_synthetic())
            );
            let options = field.options();
            if let Reflected::Message(annotation) = &*options.get_extension(&extension)
                && annotation
                    .get_field_by_name("primary_key")
                    .unwrap()
                    .as_bool()
                    == Some(true)
            {
                keys.push(field.name().to_owned());
            }
        }
        assert_eq!(keys, ["id"], "{}", table.name());
    }
}
