//! Writing protobuf by hand, also the way that no encoder does.

use pumpfun_trades::program::{EVENT_TAG, PUMP_PROGRAM};

/// Slot of the blocks that are written here.
pub const SLOT: u64 = 400_000_000;

/// Who pays the fee.
pub const FEE_PAYER: [u8; 32] = [5; 32];

/// Program that calls Pump.
pub const ROUTER: [u8; 32] = [9; 32];

/// A varint; `padding` more bytes than it needs, as far as ten allow.
pub fn varint(mut value: u64, padding: u8, out: &mut Vec<u8>) {
    let mut padding = usize::from(padding);
    for length in 1.. {
        let (byte, rest) = ((value & 0x7f) as u8, value >> 7);
        // The tenth byte holds one bit.
        if length == 10 || (rest == 0 && padding == 0) {
            return out.push(byte);
        }
        if rest == 0 {
            padding -= 1;
        }
        value = rest;
        out.push(byte | 0x80);
    }
}

/// The tag of a field of a wire type.
pub fn tag(field: u32, wire_type: u8, out: &mut Vec<u8>) {
    varint(u64::from(field) << 3 | u64::from(wire_type), 0, out);
}

/// A number.
pub fn number(field: u32, value: u64, out: &mut Vec<u8>) {
    tag(field, 0, out);
    varint(value, 0, out);
}

/// A string, bytes or a message.
pub fn bytes(field: u32, value: &[u8], out: &mut Vec<u8>) {
    tag(field, 2, out);
    varint(value.len() as u64, 0, out);
    out.extend_from_slice(value);
}

/// A message of strings, bytes or messages, one behind the other.
pub fn message(fields: &[(u32, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (field, value) in fields {
        bytes(*field, value, &mut out);
    }
    out
}

/// A group of no fields, inside of as many groups as make `depth` of them.
pub fn groups(field: u32, depth: usize, out: &mut Vec<u8>) {
    for _ in 0..depth {
        tag(field, 3, out);
    }
    for _ in 0..depth {
        tag(field, 4, out);
    }
}

/// A block of these transactions, `sf.solana.type.v1.Block`.
pub fn block<T: AsRef<[u8]>>(transactions: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut out = Vec::new();
    number(3, SLOT - 1, &mut out);
    for transaction in transactions {
        bytes(4, transaction.as_ref(), &mut out);
    }
    let mut time = Vec::new();
    number(1, 1_760_000_000, &mut time);
    bytes(6, &time, &mut out);
    number(20, SLOT, &mut out);
    out
}

/// An inner instruction of the account `program`: an event, discriminator and payload, emitted at this call depth.
pub fn emitted(program: u64, event: &[u8], height: u64) -> Vec<u8> {
    let mut out = Vec::new();
    number(1, program, &mut out);
    bytes(2, &[3], &mut out);
    bytes(3, &[&EVENT_TAG, event].concat(), &mut out);
    number(4, height, &mut out);
    out
}

/// What the outer instruction `outer` called.
pub fn called<T: AsRef<[u8]>>(outer: u64, instructions: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut out = Vec::new();
    number(1, outer, &mut out);
    for instruction in instructions {
        bytes(2, instruction.as_ref(), &mut out);
    }
    out
}

/// A transaction's signature and message: the fee's payer, Pump and a router, which is the outer instruction.
pub fn signed() -> Vec<u8> {
    let body = message(&[
        (2, &FEE_PAYER),
        (2, &PUMP_PROGRAM),
        (2, &ROUTER),
        (4, &[0x08, 0x02]),
    ]);
    message(&[(1, &[7; 64]), (2, &body)])
}

/// A transaction with these inner instructions, group by group.
pub fn transaction<T: AsRef<[u8]>>(groups: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut meta = Vec::new();
    for group in groups {
        bytes(5, group.as_ref(), &mut meta);
    }
    message(&[(1, &signed()), (2, &meta)])
}
