//! Encode: our output message from rows that are already built, by prost and buffa, and ours, which builds no row.

use anyhow::{Context, Result, ensure};
use buffa::{Message as _, MessageView, ViewEncode};
use prost::Message as _;
use pumpfun_bench_contenders::prost_rows;
use pumpfun_trades::block::Block;
use pumpfun_trades::event::{TradeEvent, read_trade};
use pumpfun_trades::pb::v1::{Trades, TradesView};
use pumpfun_trades::row::{Base58, Place, RowWriter};

use crate::stats::{ROUNDS, measure, time};
use crate::table::{Table, digits};

/// The busiest of so many generated blocks is taken.
const BLOCKS: u32 = 16;

/// Encodings in a timed round.
const PASSES: u32 = 200;

/// The table.
///
/// # Errors
///
/// When encodings differ in their rows: then no figure may be shown.
pub fn tables(quick: bool) -> Result<Vec<Table>> {
    let (rounds, passes) = if quick { (1, 1) } else { (ROUNDS, PASSES) };
    let busiest = pumpfun_generate::blocks(pumpfun_generate::DEFAULT_SEED, BLOCKS)
        .max_by_key(|block| block.trades.len())
        .context("no blocks")?;
    let block = Block::decode(&busiest.bytes)?;
    let events: Vec<(Place<'_>, TradeEvent)> = busiest
        .trades
        .iter()
        .filter(|trade| !trade.place.failed)
        .map(|trade| {
            let place = Place {
                slot: block.slot(),
                block_time: block.block_time(),
                transaction_index: trade.place.transaction_index,
                instruction_index: trade.place.instruction_index,
                inner_instruction_index: trade.place.inner_instruction_index,
                stack_height: trade.place.stack_height,
                signature: Some(&trade.place.signature),
                fee_payer: Some(&trade.place.fee_payer),
                outer_program: Some(&trade.place.outer_program),
                failed: false,
            };
            let data = [&pumpfun_generate::TRADE_EVENT[..], &trade.event.payload()].concat();
            let event = read_trade(&data)?.context("no trade among the trades")?;
            Ok((place, event))
        })
        .collect::<Result<_>>()?;
    let ours = || {
        let mut rows = RowWriter::<Base58>::default();
        for (place, event) in &events {
            rows.push_trade(place, event);
        }
        rows.into_bytes()
    };
    let encoded = ours();
    let owned = Trades::decode_from_slice(&encoded)?;
    let view = TradesView::decode_view(&encoded)?;
    let prost = prost_rows::Trades::decode(&encoded[..])?;
    let encode_view = || {
        let mut out = Vec::new();
        view.encode(&mut out);
        out
    };
    check_same_rows(
        &prost,
        &[
            owned.encode_to_vec(),
            encode_view(),
            prost.encode_to_vec(),
            encoded.clone(),
        ],
    )?;

    let names = [
        "prost, from owned rows",
        "buffa, from owned rows",
        "buffa, from views",
        "ours",
    ];
    let spreads = measure(names.len(), rounds, |way| {
        Ok::<_, anyhow::Error>(time(|| {
            for _ in 0..passes {
                std::hint::black_box(match way {
                    0 => prost.encode_to_vec(),
                    1 => owned.encode_to_vec(),
                    2 => encode_view(),
                    _ => ours(),
                });
            }
        }))
    })?;
    let mut table = Table::new(
        "encode",
        "Encode",
        &format!(
            "The rows of a block with {} trades, {} bytes. The first three encode messages that were built before, \
             keys as text and all, which is not timed; `ours` begins with decoded events, and its time holds base58 \
             and every row's building.",
            events.len(),
            encoded.len()
        ),
        &["way", "median_us", "min_us", "max_us", "ratio_to_ours"],
    );
    let ours = spreads.last().map_or(f64::NAN, |spread| spread.median);
    for (name, spread) in names.iter().zip(&spreads) {
        let each = |seconds: f64| digits(seconds / f64::from(passes) * 1e6);
        table.push(vec![
            (*name).to_owned(),
            each(spread.median),
            each(spread.min),
            each(spread.max),
            digits(spread.median / ours),
        ])?;
    }
    Ok(vec![table])
}

/// Guard: all encodings decode to the same rows.
fn check_same_rows(expected: &prost_rows::Trades, encodings: &[Vec<u8>]) -> Result<()> {
    for encoding in encodings {
        ensure!(
            prost_rows::Trades::decode(&encoding[..])? == *expected,
            "an encoding has other rows: no figures"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_with_other_rows_fails_the_guard() {
        let rows = prost_rows::Trades {
            trades: vec![prost_rows::Trade {
                slot: 7,
                ..Default::default()
            }],
            ..Default::default()
        };
        check_same_rows(&rows, &[rows.encode_to_vec()]).unwrap();
        assert!(check_same_rows(&rows, &[rows.encode_to_vec(), Vec::new()]).is_err());
    }
}
