//! The log of a transaction, as the runtime writes it from the calls.
//!
//! Log lines are a third of the bytes of an ordinary transaction, and they hold program ids as text
//! and events as base64: what a decoder that reads logs would find, and ours must not count twice.

use crate::call::{Call, Failure};
use crate::keys::Program;
use crate::payload::push_base64;
use crate::rng::Rng;

/// A written log.
pub(crate) struct Log {
    pub(crate) lines: Vec<String>,
    /// Compute units of the whole transaction.
    pub(crate) consumed: u64,
}

/// Compute units that a transaction with this log asked for; the "of" figures count down from it.
const COMPUTE_UNIT_LIMIT: u64 = 1_400_000;
/// What a built-in program costs.
const BUILTIN_COMPUTE_UNITS: u64 = 150;

struct Frame<'a> {
    call: &'a Call,
    consumed_before: u64,
}

/// Writes the log of `calls`; after `limit` bytes it says "Log truncated" and ends.
pub(crate) fn write(rng: &mut Rng, calls: &[Call], failure: Option<&Failure>, limit: usize) -> Log {
    let mut lines = Vec::with_capacity(calls.len() * 4);
    let mut consumed = 0;
    let mut open: Vec<Frame> = Vec::new();
    for call in calls {
        close(&mut lines, &mut open, call.height, consumed);
        if let Some(line) = &call.line_before {
            lines.push(line.clone());
        }
        lines.push(invoke(call.program, call.height));
        open.push(Frame {
            call,
            consumed_before: consumed,
        });
        if call.program.builtin {
            consumed += BUILTIN_COMPUTE_UNITS;
        } else {
            consumed += rng.range(400, 9_000);
        }
        if !call.says.is_empty() {
            lines.push(joined(&["Program log: ", call.says]));
        }
    }
    if let Some(failure) = failure {
        close(&mut lines, &mut open, 2, consumed);
        fail(&mut lines, &mut open, failure, consumed);
    }
    close(&mut lines, &mut open, 1, consumed);
    truncate(&mut lines, limit);
    Log { lines, consumed }
}

/// Ends every open call at `height` and above.
fn close(lines: &mut Vec<String>, open: &mut Vec<Frame>, height: u32, consumed: u64) {
    while let Some(frame) = open.pop_if(|frame| frame.call.height >= height) {
        let program = frame.call.program;
        lines.extend(consumption(&frame, consumed));
        if let Some(data) = &frame.call.returns {
            let mut line = joined(&["Program return: ", program.text, " "]);
            push_base64(&mut line, data);
            lines.push(line);
        }
        lines.push(joined(&["Program ", program.text, " success"]));
    }
}

fn fail(lines: &mut Vec<String>, open: &mut Vec<Frame>, failure: &Failure, consumed: u64) {
    if let Some(frame) = open.pop() {
        lines.push(joined(&["Program log: ", failure.line]));
        lines.extend(consumption(&frame, consumed));
        let program = frame.call.program.text;
        let code = failure.code;
        lines.push(format!(
            "Program {program} failed: custom program error: 0x{code:x}"
        ));
    }
}

fn consumption(frame: &Frame, consumed: u64) -> Option<String> {
    let program = frame.call.program;
    (!program.builtin).then(|| {
        let mut line = joined(&["Program ", program.text, " consumed "]);
        push_decimal(&mut line, consumed - frame.consumed_before);
        line.push_str(" of ");
        push_decimal(
            &mut line,
            COMPUTE_UNIT_LIMIT.saturating_sub(frame.consumed_before),
        );
        line.push_str(" compute units");
        line
    })
}

/// The line that opens a call.
pub(crate) fn invoke(program: &Program, height: u32) -> String {
    let mut line = joined(&["Program ", program.text, " invoke ["]);
    push_decimal(&mut line, u64::from(height));
    line.push(']');
    line
}

/// The line that `emit_cpi!`'s caller logs with the same event: discriminator and payload.
pub(crate) fn program_data(discriminator: &[u8; 8], payload: &[u8]) -> String {
    let mut line = String::from("Program data: ");
    let mut bytes = discriminator.to_vec();
    bytes.extend_from_slice(payload);
    push_base64(&mut line, &bytes);
    line
}

fn truncate(lines: &mut Vec<String>, limit: usize) {
    let mut bytes = 0;
    let kept = lines.iter().position(|line| {
        bytes += line.len();
        bytes > limit
    });
    if let Some(kept) = kept {
        lines.truncate(kept);
        lines.push(String::from("Log truncated"));
    }
}

fn joined(parts: &[&str]) -> String {
    parts.concat()
}

/// Appends `value` in decimal; faster than the formatting machinery, which shows at this many lines.
pub(crate) fn push_decimal(text: &mut String, mut value: u64) {
    let mut digits = [0u8; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    text.extend(digits[start..].iter().map(|digit| char::from(*digit)));
}
