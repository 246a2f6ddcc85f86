//! TradeEvent payloads of every layout, whole, cut at every length, and lengthened.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use common::Row;
use common::reference;
use pumpfun_trades::event::text::ShortString;
use pumpfun_trades::event::{
    self, Event, OTHER_EVENTS, READ_EVENTS, TradeEvent, Unreadable, read, read_trade, trade,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A recorded payload and what is right to read in it.
struct Vector {
    name: String,
    payload: Vec<u8>,
    expected: Row,
}

fn vectors() -> Vec<Vector> {
    let lines = include_str!("vectors/trade_events.jsonl");
    let vectors: Vec<_> = lines
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            Vector {
                name: line["name"].as_str().unwrap().to_owned(),
                payload: unhex(line["payload_hex"].as_str().unwrap()),
                expected: line["expected"].as_object().unwrap().clone(),
            }
        })
        .collect();
    assert_eq!(vectors.len(), 25);
    vectors
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
        .collect()
}

/// Layouts, in order, with the bytes that they end at for a name of `n` bytes and `k` shareholders.
fn layout_ends(n: usize, k: usize) -> [(&'static str, usize); 11] {
    let k = 34 * k;
    [
        ("V0", 105),
        ("V1", 121),
        ("V2", 217),
        ("V3", 250),
        ("V4", 254 + n),
        ("V5", 255 + n),
        ("V6", 271 + n),
        ("V6b", 287 + n),
        ("V7", 347 + n + k),
        ("V8", 363 + n + k),
        ("V9", 371 + n + k),
    ]
}

/// What an event holds, in the form of the vectors.
fn fields(event: &TradeEvent) -> Row {
    let mut row = Row::new();
    macro_rules! add {
        ($group:expr => $($name:ident: $write:expr),*) => {
            if let Some(group) = $group {
                $(
                    let write: fn(&_) -> Value = $write;
                    row.insert(stringify!($name).into(), write(&group.$name));
                )*
            }
        };
    }
    fn number<T: Copy + Into<serde_json::Number>>(value: &T) -> Value {
        Value::Number((*value).into())
    }
    fn flag(value: &bool) -> Value {
        json!(u8::from(*value))
    }
    fn pubkey(value: &[u8; 32]) -> Value {
        json!(bs58::encode(value).into_string())
    }
    fn name(value: &ShortString<64>) -> Value {
        json!(value.as_str())
    }
    #[allow(clippy::ptr_arg, reason = "called with the field itself")]
    fn shareholders(value: &Vec<trade::Shareholder>) -> Value {
        value
            .iter()
            .map(|one| json!([pubkey(&one.address), one.share_bps]))
            .collect()
    }
    add!(Some(&event.v0) => mint: pubkey, sol_amount: number, token_amount: number, is_buy: flag, user: pubkey,
        timestamp: number, virtual_sol_reserves: number, virtual_token_reserves: number);
    add!(&event.v1 => real_sol_reserves: number, real_token_reserves: number);
    add!(&event.v2 => fee_recipient: pubkey, fee_basis_points: number, fee: number, creator: pubkey,
        creator_fee_basis_points: number, creator_fee: number);
    add!(&event.v3 => track_volume: flag, total_unclaimed_tokens: number, total_claimed_tokens: number,
        current_sol_volume: number, last_update_timestamp: number);
    add!(&event.v4 => ix_name: name);
    add!(&event.v5 => mayhem_mode: flag);
    add!(&event.v6 => cashback_fee_basis_points: number, cashback: number);
    add!(&event.v6b => buyback_fee_basis_points: number, buyback_fee: number);
    add!(&event.v7 => shareholders: shareholders, quote_mint: pubkey, quote_amount: number,
        virtual_quote_reserves: number, real_quote_reserves: number);
    add!(&event.v8 => holder_rewards_bps: number, holder_rewards: number);
    add!(&event.v9 => creator_fee_unclaimed: number);
    row.insert("layout".into(), json!(event.layout));
    row.insert(
        "unknown_trailing_bytes".into(),
        json!(event.unknown_trailing_bytes),
    );
    row
}

#[test]
fn every_vector_reads_as_recorded() {
    let mut layouts = std::collections::BTreeSet::new();
    for Vector {
        name,
        payload,
        expected,
    } in vectors()
    {
        let event = TradeEvent::read(&payload).unwrap();
        assert_eq!(fields(&event), expected, "{name}");
        layouts.insert(event.layout);
    }
    assert_eq!(
        layouts.len(),
        TradeEvent::LAYOUTS.len(),
        "the vectors are of all layouts: {layouts:?}"
    );
}

#[test]
fn a_payload_cut_anywhere_keeps_every_group_that_is_whole() {
    for Vector {
        name,
        payload,
        expected,
    } in vectors()
    {
        let n = expected
            .get("ix_name")
            .map_or(0, |name| name.as_str().unwrap().len());
        let k = expected
            .get("shareholders")
            .map_or(0, |list| list.as_array().unwrap().len());
        for length in 0..=payload.len() {
            let cut = &payload[..length];
            let read = TradeEvent::read(cut);
            let whole = layout_ends(n, k)
                .into_iter()
                .rev()
                .find(|(_, end)| *end <= length);
            let Some((layout, end)) = whole else {
                let expected = Unreadable::TooShort {
                    event: "TradeEvent",
                    length,
                    needed: 105,
                };
                assert_eq!(read.unwrap_err(), expected, "{name} cut at {length}");
                continue;
            };
            let read = read.unwrap();
            assert_eq!(read.layout, layout, "{name} cut at {length}");
            assert_eq!(
                read.unknown_trailing_bytes as usize,
                length - end,
                "{name} cut at {length}"
            );
            for (field, value) in fields(&read) {
                if field != "layout" && field != "unknown_trailing_bytes" {
                    assert_eq!(value, expected[&field], "{name} cut at {length}: {field}");
                }
            }
            assert_eq!(
                Some(fields(&read)),
                reference::trade(cut),
                "{name} cut at {length}, reference"
            );
        }
    }
}

#[test]
fn a_lengthened_payload_is_read_as_far_as_it_is_known() {
    for Vector {
        name,
        payload,
        expected,
    } in vectors()
    {
        for fill in [0x00, 0x01, 0xff] {
            for more in 1..=64 {
                let mut longer = payload.clone();
                longer.resize(payload.len() + more, fill);
                let read = fields(&TradeEvent::read(&longer).unwrap());
                assert_eq!(
                    Some(&read),
                    reference::trade(&longer).as_ref(),
                    "{name} and {more} times {fill:#x}"
                );
                // Whatever the new bytes look like, they change nothing that stood before them.
                for (field, value) in &expected {
                    if field != "layout" && field != "unknown_trailing_bytes" {
                        assert_eq!(
                            &read[field], value,
                            "{name} and {more} times {fill:#x}: {field}"
                        );
                    }
                }
                // Behind V9 nothing is known.
                if expected["layout"] == "V9" {
                    assert_eq!(read["layout"], "V9");
                    assert_eq!(read["unknown_trailing_bytes"], json!(more), "{name}");
                }
            }
        }
    }
}

#[test]
fn guards_stop_the_reading_before_a_group_that_is_none() {
    let vectors = vectors();
    let v9 = vectors
        .iter()
        .find(|vector| vector.expected["layout"] == "V9")
        .unwrap();
    let n = v9.expected["ix_name"].as_str().unwrap().len();
    let read_with = |at: usize, bytes: &[u8]| {
        let mut payload = v9.payload.clone();
        payload[at..at + bytes.len()].copy_from_slice(bytes);
        TradeEvent::read(&payload)
    };
    let rest_of = |end: usize| u32::try_from(v9.payload.len() - end).unwrap();
    // is_buy of V0 at 48: no trade at all.
    assert!(matches!(
        read_with(48, &[2]).unwrap_err(),
        Unreadable::Invalid {
            event: "TradeEvent",
            ..
        }
    ));
    for (at, bytes, layout, end) in [
        (217, &[2][..], "V2", 217),                         // track_volume
        (250, &65_u32.to_le_bytes(), "V3", 250),            // the name's length
        (250, &u32::MAX.to_le_bytes(), "V3", 250),          // the same, past all bytes
        (254, &[0xff], "V3", 250),                          // the name's text
        (254 + n, &[0xff], "V4", 254 + n),                  // mayhem_mode
        (287 + n, &u32::MAX.to_le_bytes(), "V6b", 287 + n), // number of shareholders
        (287 + n, &3_u32.to_le_bytes(), "V6b", 287 + n), // 3 shareholders leave no room for the quote
    ] {
        let event = read_with(at, bytes).unwrap();
        assert_eq!(
            (event.layout, event.unknown_trailing_bytes),
            (layout, rest_of(end)),
            "{bytes:x?} at {at}"
        );
    }
}

#[test]
fn discriminators_are_the_hashes_of_the_names() {
    let hash = |name: &str| -> [u8; 8] {
        Sha256::digest(format!("event:{name}")).as_slice()[..8]
            .try_into()
            .unwrap()
    };
    for (discriminator, name) in READ_EVENTS {
        assert_eq!(*discriminator, hash(name), "{name}");
        let too_short = read(discriminator).unwrap_err();
        assert!(
            matches!(too_short, Unreadable::TooShort { event, length: 0, .. } if event == *name)
        );
        assert!(read_trade(discriminator).is_ok() != (*name == "TradeEvent"));
        assert_eq!(event::name(discriminator), Some(*name));
    }
    for (discriminator, name) in OTHER_EVENTS {
        assert_eq!(discriminator, hash(name), "{name}");
        assert!(matches!(read(&discriminator), Ok(Event::Other(known)) if known == name));
        assert_eq!(read_trade(&discriminator), Ok(None));
        assert_eq!(event::name(&discriminator), Some(name));
    }
}

#[test]
fn an_event_without_or_with_an_unknown_discriminator_says_so() {
    for length in 0..8 {
        assert_eq!(
            read(&vec![1; length]).unwrap_err(),
            Unreadable::NoDiscriminator { length }
        );
    }
    assert_eq!(read(&[1; 8]).unwrap_err(), Unreadable::Unknown);
    assert_eq!(read(&[1; 500]).unwrap_err(), Unreadable::Unknown);
}
