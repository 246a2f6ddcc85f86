//! Blocks that are valid protobuf most of the time, and odd: the input says which fields come, in which order, how often
//! and how they are written.
#![no_main]

use pumpfun_fuzz::write::{bytes, groups, number, tag, varint};
use pumpfun_trades::event::{OTHER_EVENTS, READ_EVENTS};
use pumpfun_trades::program::{EVENT_TAG, PUMP_PROGRAM};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut choices = Choices(input);
    let mut block = Vec::new();
    while !choices.0.is_empty() {
        match choices.below(8) {
            0 => number(20, choices.byte().into(), &mut block),
            1 => bytes(6, &[0x08, choices.byte() & 0x7f], &mut block),
            2 => choices.noise(&mut block),
            3 => bytes(4, &[], &mut block),
            _ => choices.message(4, Choices::transaction, &mut block),
        }
    }
    pumpfun_fuzz::check_block(&block);
});

/// What the input still has to say.
struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or_default()
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// A small number, or one of those at the edges.
    fn index(&mut self) -> u64 {
        match self.byte() {
            255 => u64::from(u32::MAX),
            254 => u64::MAX,
            253 => 1 << 32,
            small => u64::from(small % 6),
        }
    }

    /// A message field whose content `write` chooses. Now and then its length is a lie, or padded.
    fn message(&mut self, field: u32, write: fn(&mut Self, &mut Vec<u8>), out: &mut Vec<u8>) {
        let mut content = Vec::new();
        for _ in 0..self.below(9) {
            write(self, &mut content);
        }
        let (lie, padding) = match self.byte() {
            255 => (1, 0),
            254 => (1 << 32, 0),
            padding @ 240.. => (0, padding & 15),
            _ => (0, 0),
        };
        varint(u64::from(field) << 3 | 2, padding / 4, out);
        varint(content.len() as u64 + lie, padding, out);
        out.extend(content);
    }

    fn transaction(&mut self, out: &mut Vec<u8>) {
        match self.below(8) {
            0 => self.noise(out),
            1 | 2 => self.message(1, Self::signed, out),
            _ => self.message(2, Self::meta, out),
        }
    }

    fn signed(&mut self, out: &mut Vec<u8>) {
        match self.below(4) {
            0 => bytes(1, &[self.byte(); 64], out),
            1 => self.noise(out),
            _ => self.message(2, Self::body, out),
        }
    }

    fn body(&mut self, out: &mut Vec<u8>) {
        match self.below(8) {
            0 => self.noise(out),
            1 => self.message(4, Self::instruction, out),
            _ => self.key(2, out),
        }
    }

    fn meta(&mut self, out: &mut Vec<u8>) {
        match self.below(12) {
            0 => self.noise(out),
            1 => bytes(1, self.take(2), out),
            2 => self.key(12, out),
            3 => self.key(13, out),
            4 => bytes(6, self.take(5), out),
            _ => self.message(5, Self::group, out),
        }
    }

    fn group(&mut self, out: &mut Vec<u8>) {
        match self.below(8) {
            0 => self.noise(out),
            1 | 2 => number(1, self.index(), out),
            _ => self.message(2, Self::instruction, out),
        }
    }

    fn instruction(&mut self, out: &mut Vec<u8>) {
        match self.below(8) {
            0 => self.noise(out),
            1 | 2 => number(1, self.index(), out),
            3 => bytes(2, self.take(3), out),
            4 => number(4, self.index(), out),
            _ => self.event(out),
        }
    }

    fn event(&mut self, out: &mut Vec<u8>) {
        let mut data = match self.byte() {
            0 => Vec::new(),
            _ => EVENT_TAG.to_vec(),
        };
        match self.below(2 + READ_EVENTS.len() + OTHER_EVENTS.len()) {
            // Most are trades.
            0 => data.extend(READ_EVENTS.iter().take(1).flat_map(|event| event.0)),
            1 => data.extend(self.take(8)),
            other => {
                let mut events = READ_EVENTS.iter().chain(&OTHER_EVENTS);
                data.extend(events.nth(other - 2).iter().flat_map(|event| event.0));
            }
        }
        // Much of a payload can be any byte; what cannot be, is 0 or 1 or a small length.
        let (length, fill) = (4 * usize::from(self.byte()), self.byte() % 3);
        data.resize(data.len() + length, fill);
        let payload = self.below(24);
        data.extend(self.take(payload));
        bytes(3, &data, out);
    }

    fn key(&mut self, field: u32, out: &mut Vec<u8>) {
        match self.byte() {
            0 => bytes(field, &[], out),
            1 => bytes(field, &[1; 31], out),
            other if other % 2 == 0 => bytes(field, &PUMP_PROGRAM, out),
            other => bytes(field, &[other; 32], out),
        }
    }

    /// A field that no reader knows, of any wire type.
    fn noise(&mut self, out: &mut Vec<u8>) {
        let field = 100 + u32::from(self.byte());
        match self.below(6) {
            0 => number(field, self.index(), out),
            1 => bytes(field, self.take(4), out),
            2 => {
                tag(field, 1, out);
                out.extend([self.byte(); 8]);
            }
            3 => {
                tag(field, 5, out);
                out.extend([self.byte(); 4]);
            }
            // Decoders allow a hundred inside of each other.
            4 => groups(field, usize::from(self.byte() % 105), out),
            // A known field's number, another wire type.
            _ => number(u32::from(self.byte() % 24), self.index(), out),
        }
    }
}
