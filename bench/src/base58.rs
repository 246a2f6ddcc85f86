//! base58: ours against bs58, five8, base58-turbo and fd_bs58, natively, in wasm, and on long inputs; and the guard that
//! ours is right and no slower than it may be.
//!
//! The loops on 32 and 64 bytes are those of the crate `pumpfun-bench-wasm-base58`, the same for native and wasm.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use pumpfun_bench_wasm_base58::{
    CODECS, INPUTS, OPERATIONS, Random, base58_differences, base58_run,
};
use wasmtime::{Engine, Instance, Module, Store};

use crate::process::output_of;
use crate::stats::{self, ROUNDS, Spread};
use crate::table::{Table, digits, seconds};

/// Times that a round goes over all inputs, so that it is long enough to be timed well.
const PASSES: u32 = 10;

/// Ours may not take longer than this many times bs58's time.
const SLOWEST: f64 = 2.0;

/// Lengths that the guard compares, and how many inputs of each.
const GUARDED_LENGTHS: [usize; 10] = [0, 1, 8, 31, 32, 33, 63, 64, 65, 200];
const GUARDED_INPUTS: usize = 2_000;

/// What a table says where a codec takes no input of that length.
const REFUSED: &str = "refused";

/// Lengths of the table of long inputs.
const LONG: [(&str, usize); 4] = [
    ("1 KB", 1 << 10),
    ("10 KB", 10 << 10),
    ("100 KB", 100 << 10),
    ("1 MB", 1 << 20),
];

/// What would take longer than this a run is left out.
const LONGEST: Duration = Duration::from_secs(3);

/// Native figures: 32 and 64 bytes, and long inputs. `quick` is for trying whether it runs.
///
/// # Errors
///
/// When a codec gives another result than bs58.
pub fn tables(quick: bool) -> Result<Vec<Table>> {
    let mut table = fixed_table("base58_native", "native");
    let run = |operation, codec, passes| Ok(stats::time(|| base58_run(operation, codec, passes)));
    fill_fixed(
        &mut table,
        quick,
        |codec| Ok(base58_differences(codec)),
        run,
    )?;
    Ok(vec![table, long_table(quick)?])
}

/// The figures of 32 and 64 bytes by a build for the features of this CPU: `program` is `base58-loops`, so built.
///
/// # Errors
///
/// When it is not there, or a codec gives another result than bs58.
pub fn native_cpu_tables(program: &Path, quick: bool) -> Result<Vec<Table>> {
    let ask = |arguments: &[String]| -> Result<u64> {
        Ok(output_of(program, arguments)?.trim().parse()?)
    };
    let mut table = fixed_table(
        "base58_native_cpu",
        "native, built for the features of this CPU",
    );
    fill_fixed(
        &mut table,
        quick,
        |codec| {
            Ok(u32::try_from(ask(&[
                "differences".to_owned(),
                codec.to_string(),
            ])?)?)
        },
        |operation, codec, passes| {
            let [operation, codec, passes] =
                [operation, codec, passes].map(|number: u32| number.to_string());
            Ok(Duration::from_nanos(ask(&[
                "run".to_owned(),
                operation,
                codec,
                passes,
            ])?))
        },
    )?;
    Ok(vec![table])
}

/// The figures of 32 and 64 bytes in wasm inside wasmtime; `wasm` is the built `pumpfun-bench-wasm-base58`.
///
/// # Errors
///
/// When the file is not that module, or a codec gives another result than bs58.
pub fn wasm_tables(wasm: &Path, quick: bool) -> Result<Vec<Table>> {
    let engine = Engine::default();
    let module = Module::from_file(&engine, wasm).with_context(|| wasm.display().to_string())?;
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &module, &[])?;
    let run = instance.get_typed_func::<(u32, u32, u32), ()>(&mut store, "base58_run")?;
    let differences = instance.get_typed_func::<u32, u32>(&mut store, "base58_differences")?;
    let wrong = (0..)
        .zip(CODECS)
        .map(|(codec, _)| differences.call(&mut store, codec));
    let wrong = wrong.collect::<Result<Vec<u32>, _>>()?;
    let mut table = fixed_table("base58_wasm", "wasm inside wasmtime 41");
    fill_fixed(
        &mut table,
        quick,
        |codec| wrong.get(codec as usize).copied().context("no such codec"),
        |operation, codec, passes| {
            let began = Instant::now();
            run.call(&mut store, (operation, codec, passes))?;
            Ok(began.elapsed())
        },
    )?;
    Ok(vec![table])
}

/// That ours gives what bs58 gives, and is not too slow.
///
/// # Errors
///
/// When either is not so.
pub fn guard() -> Result<()> {
    for length in GUARDED_LENGTHS {
        let inputs = guarded_inputs(length);
        check_same(&inputs, base58::encode, |text| base58::decode(text).ok())
            .with_context(|| format!("inputs of {length} bytes"))?;
    }
    ensure!(
        base58_differences(0) == 0,
        "base58 of 32 or 64 bytes differs from bs58"
    );
    for (operation, name) in (0..).zip(OPERATIONS) {
        let spreads = stats::measure(2, ROUNDS, |codec| {
            let codec = u32::try_from(codec)?;
            anyhow::Ok(stats::time(|| base58_run(operation, codec, 1)))
        })?;
        if let [ours, bs58] = spreads[..] {
            check_speed(ours.median, bs58.median).context(name)?;
        }
    }
    Ok(())
}

/// Random inputs of a length, every second one with leading zeros, of every count in turn; some all 0xff.
fn guarded_inputs(length: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(7 + length as u64);
    let input = |index: usize| {
        let zeros = if index.is_multiple_of(2) {
            index / 2 % (length + 1)
        } else {
            0
        };
        let ones = index.is_multiple_of(5);
        (0..length)
            .map(|at| match random.byte() {
                _ if at < zeros => 0,
                _ if ones => 0xff,
                byte => byte,
            })
            .collect()
    };
    (0..GUARDED_INPUTS).map(input).collect()
}

/// Whether a codec gives what bs58 gives.
fn check_same(
    inputs: &[Vec<u8>],
    encode: impl Fn(&[u8]) -> String,
    decode: impl Fn(&str) -> Option<Vec<u8>>,
) -> Result<()> {
    for input in inputs {
        let text = bs58::encode(input).into_string();
        ensure!(encode(input) == text, "the text of {input:?} is not {text}");
        ensure!(
            decode(&text).as_ref() == Some(input),
            "{text} is not decoded to {input:?}"
        );
    }
    Ok(())
}

/// Whether our median is fast enough against that of bs58. Times that are no times are not.
fn check_speed(ours: f64, bs58: f64) -> Result<()> {
    let ratio = ours / bs58;
    ensure!(
        ours > 0.0 && ratio <= SLOWEST,
        "base58 takes {ratio:.2} times the time of bs58, allowed are {SLOWEST}"
    );
    Ok(())
}

fn fixed_table(name: &'static str, how: &str) -> Table {
    let text = format!(
        "{INPUTS} different inputs, {PASSES} times over a round; median, minimum and maximum of {ROUNDS} rounds, an \
         operation. Results go into a buffer, except that fd_bs58 gives texts as `String`. All give what bs58 gives."
    );
    let columns = [
        "operation",
        "codec",
        "median_ns",
        "min_ns",
        "max_ns",
        "ratio_to_ours",
    ];
    Table::new(
        name,
        &format!("base58 of 32 and 64 bytes: {how}"),
        &text,
        &columns,
    )
}

fn fill_fixed(
    table: &mut Table,
    quick: bool,
    differences: impl Fn(u32) -> Result<u32>,
    mut run: impl FnMut(u32, u32, u32) -> Result<Duration>,
) -> Result<()> {
    for (codec, name) in (0..).zip(CODECS) {
        let wrong = differences(codec)?;
        ensure!(
            wrong == 0,
            "{name}: {wrong} results differ from those of bs58"
        );
    }
    let (rounds, passes) = if quick { (1, 1) } else { (ROUNDS, PASSES) };
    for (operation, name) in (0..).zip(OPERATIONS) {
        let spreads = stats::measure(CODECS.len(), rounds, |codec| {
            run(operation, u32::try_from(codec)?, passes)
        })?;
        let ours = spreads.first().map_or(f64::NAN, |ours| ours.median);
        for (codec, spread) in CODECS.iter().zip(spreads) {
            let each = f64::from(INPUTS * passes);
            let [median, min, max] =
                [spread.median, spread.min, spread.max].map(|time| digits(time / each * 1e9));
            table.push(vec![
                name.into(),
                (*codec).into(),
                median,
                min,
                max,
                digits(spread.median / ours),
            ])?;
        }
    }
    Ok(())
}

/// An operation on an input of any length, into a buffer that is long enough; `None` if it is refused.
type Long = fn(&[u8], &mut [u8]) -> Option<usize>;

/// Codecs that take any length, ours first: name, encode, decode.
const LONG_CODECS: [(&str, Long, Long); 3] = [
    (
        "base58 (ours)",
        |bytes, out| base58::encode_into(bytes, out).ok(),
        |text, out| base58::decode_into(text, out).ok(),
    ),
    (
        "bs58",
        |bytes, out| bs58::encode(bytes).onto(out).ok(),
        |text, out| bs58::decode(text).onto(out).ok(),
    ),
    (
        "base58-turbo",
        |bytes, out| base58_turbo::BITCOIN.encode_into(bytes, out).ok(),
        |text, out| base58_turbo::BITCOIN.decode_into(text, out).ok(),
    ),
];

fn long_table(quick: bool) -> Result<Table> {
    let text = format!(
        "One input of random bytes; median, minimum and maximum of {ROUNDS} runs. five8 and fd_bs58 take 32 and 64 \
         bytes only, base58-turbo no long ones. bs58 takes time by the square of the length: what would by that take over \
         {} a run is left out, reckoned from the length before.",
        seconds(LONGEST.as_secs_f64())
    );
    let columns = [
        "operation",
        "length",
        "codec",
        "median_us",
        "min_us",
        "max_us",
        "ratio_to_ours",
    ];
    let mut table = Table::new("base58_long", "base58 of long inputs", &text, &columns);
    let (rounds, lengths) = if quick { (1, 1) } else { (ROUNDS, LONG.len()) };
    for operation in ["encode", "decode"] {
        // Time of each codec at the length before, and that length.
        let mut before = [(0.0, 1); LONG_CODECS.len()];
        for (label, length) in LONG.into_iter().take(lengths) {
            let mut random = Random::new(length as u64);
            let bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
            let text = base58::encode(&bytes).into_bytes();
            let (input, expected) = match operation {
                "encode" => (&bytes, &text),
                _ => (&text, &bytes),
            };
            let mut ours = f64::NAN;
            for ((name, encode, decode), before) in LONG_CODECS.into_iter().zip(&mut before) {
                let work = if operation == "encode" {
                    encode
                } else {
                    decode
                };
                let cells = match long_times(work, input, expected, (length, *before), rounds)? {
                    Ok(spread) => {
                        // Ours grows by less than the square, so it is never left out.
                        *before = if name == CODECS[0] {
                            (0.0, 1)
                        } else {
                            (spread.median, length)
                        };
                        if name == CODECS[0] {
                            ours = spread.median;
                        }
                        let times =
                            [spread.median, spread.min, spread.max].map(|time| digits(time * 1e6));
                        Vec::from_iter(times.into_iter().chain([digits(spread.median / ours)]))
                    }
                    Err(why) => {
                        if why == REFUSED {
                            // So are longer ones: nothing is reckoned for them.
                            *before = (0.0, 1);
                        }
                        vec![why, "–".into(), "–".into(), "–".into()]
                    }
                };
                let head = [operation, label, name].map(str::to_owned);
                table.push(head.into_iter().chain(cells).collect())?;
            }
        }
    }
    Ok(table)
}

/// Times of a codec on one long input, or why there are none.
fn long_times(
    work: Long,
    input: &[u8],
    expected: &[u8],
    (length, (before, length_before)): (usize, (f64, usize)),
    rounds: usize,
) -> Result<Result<Spread, String>> {
    let reckoned = before * (length as f64 / length_before as f64).powi(2);
    if reckoned > LONGEST.as_secs_f64() {
        return Ok(Err(format!("left out: about {}", seconds(reckoned))));
    }
    let mut out = vec![0; 2 * input.len().max(expected.len())];
    let Some(written) = work(input, &mut out) else {
        return Ok(Err(REFUSED.into()));
    };
    ensure!(
        out.get(..written) == Some(expected),
        "a long input's result is not that of the others"
    );
    let spreads = stats::measure(1, rounds, |_| {
        anyhow::Ok(stats::time(|| work(black_box(input), black_box(&mut out))))
    })?;
    Ok(spreads.first().copied().ok_or_else(|| "no rounds".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_fails_above_twice_the_time_and_without_a_time() {
        assert!(check_speed(1.0, 10.0).is_ok());
        assert!(check_speed(20.0, 10.0).is_ok());
        assert!(check_speed(20.1, 10.0).is_err());
        assert!(check_speed(0.0, 10.0).is_err());
        assert!(check_speed(1.0, 0.0).is_err());
        assert!(check_speed(0.0, 0.0).is_err());
    }

    #[test]
    fn sameness_fails_for_a_wrong_text_and_a_wrong_decoding() {
        let inputs = guarded_inputs(32);
        let (encode, decode) = (
            |bytes: &[u8]| base58::encode(bytes),
            |text: &str| base58::decode(text).ok(),
        );
        assert!(check_same(&inputs, encode, decode).is_ok());
        assert!(
            check_same(
                &inputs,
                |bytes| base58::encode(bytes).replace('1', "2"),
                decode
            )
            .is_err()
        );
        assert!(check_same(&inputs, encode, |_| None).is_err());
    }

    #[test]
    fn guarded_inputs_have_every_count_of_leading_zeros() {
        let zeros = |input: &Vec<u8>| input.iter().take_while(|byte| **byte == 0).count();
        let inputs = guarded_inputs(64);
        assert!((0..=64).all(|count| inputs.iter().any(|input| zeros(input) == count)));
    }
}
