//! The loops that time base58 codecs on 32 and 64 bytes: linked into the native bench, and exported by a wasm.
//!
//! One source for both, so that native and wasm figures are of the same work. A codec is called the way its docs
//! advise for speed: fixed lengths where it has them, into a buffer of the right size, and no allocation but what it
//! makes itself (fd_bs58 gives a `String`).

mod codecs;

use std::hint::black_box;
use std::sync::OnceLock;

use codecs::{Bs58, Codec, FdBs58, Five8, Ours, Turbo};

/// The codecs, ours first and bs58 second.
pub const CODECS: [&str; 5] = ["base58 (ours)", "bs58", "five8", "base58-turbo", "fd_bs58"];

/// The operations.
pub const OPERATIONS: [&str; 4] = [
    "encode 32 bytes",
    "encode 64 bytes",
    "decode 32 bytes",
    "decode 64 bytes",
];

/// Different inputs of each operation.
pub const INPUTS: u32 = 2_000;

struct Inputs {
    keys: Vec<[u8; 32]>,
    signatures: Vec<[u8; 64]>,
    key_texts: Vec<String>,
    signature_texts: Vec<String>,
}

/// The inputs, made from a seed when first asked for, which the warm-up does.
fn inputs() -> &'static Inputs {
    static INPUTS_OF_SEED: OnceLock<Inputs> = OnceLock::new();
    INPUTS_OF_SEED.get_or_init(|| {
        let mut random = Random::new(42);
        let keys: Vec<[u8; 32]> = (0..INPUTS).map(|_| random.bytes()).collect();
        let signatures: Vec<[u8; 64]> = (0..INPUTS).map(|_| random.bytes()).collect();
        Inputs {
            key_texts: keys
                .iter()
                .map(|key| bs58::encode(key).into_string())
                .collect(),
            signature_texts: signatures
                .iter()
                .map(|key| bs58::encode(key).into_string())
                .collect(),
            keys,
            signatures,
        }
    })
}

/// Random bytes of a seed (xorshift64*): the same natively and in wasm.
pub struct Random(u64);

impl Random {
    /// From a seed other than zero.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D).to_be_bytes()[0]
    }

    /// The next bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }
}

/// Does one of [`OPERATIONS`] with one of [`CODECS`] on every input, `passes` times over.
#[unsafe(no_mangle)]
#[allow(
    unsafe_code,
    reason = "an exported name counts as unsafe; it is this crate's alone"
)]
pub extern "C" fn base58_run(operation: u32, codec: u32, passes: u32) {
    match codec {
        0 => run::<Ours>(operation, passes),
        1 => run::<Bs58>(operation, passes),
        2 => run::<Five8>(operation, passes),
        3 => run::<Turbo>(operation, passes),
        4 => run::<FdBs58>(operation, passes),
        _ => {}
    }
}

/// How many results of one of [`CODECS`] differ from those of bs58, over all operations and inputs.
#[unsafe(no_mangle)]
#[allow(
    unsafe_code,
    reason = "an exported name counts as unsafe; it is this crate's alone"
)]
pub extern "C" fn base58_differences(codec: u32) -> u32 {
    match codec {
        0 => differences::<Ours>(),
        1 => differences::<Bs58>(),
        2 => differences::<Five8>(),
        3 => differences::<Turbo>(),
        4 => differences::<FdBs58>(),
        _ => u32::MAX,
    }
}

fn run<C: Codec>(operation: u32, passes: u32) {
    let inputs = inputs();
    match operation {
        0 => each(&inputs.keys, passes, |key| C::encode_32(key, shown)),
        1 => each(&inputs.signatures, passes, |signature| {
            C::encode_64(signature, shown)
        }),
        2 => each(&inputs.key_texts, passes, |text| C::decode_32(text, shown)),
        3 => each(&inputs.signature_texts, passes, |text| {
            C::decode_64(text, shown)
        }),
        _ => {}
    }
}

#[inline(always)]
fn each<T>(inputs: &[T], passes: u32, work: impl Fn(&T)) {
    for _ in 0..passes {
        for input in inputs {
            work(black_box(input));
        }
    }
}

/// Keeps the compiler from leaving out what nobody looks at.
#[inline(always)]
fn shown(result: &[u8]) {
    black_box(result);
}

fn differences<C: Codec>() -> u32 {
    let inputs = inputs();
    let mut wrong = 0;
    let mut compare = |result: &[u8], expected: &[u8]| wrong += u32::from(result != expected);
    for (key, text) in inputs.keys.iter().zip(&inputs.key_texts) {
        C::encode_32(key, |result| compare(result, text.as_bytes()));
        C::decode_32(text, |result| compare(result, key));
    }
    for (signature, text) in inputs.signatures.iter().zip(&inputs.signature_texts) {
        C::encode_64(signature, |result| compare(result, text.as_bytes()));
        C::decode_64(text, |result| compare(result, signature));
    }
    wrong
}
