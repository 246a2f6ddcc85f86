//! Base58 with the Bitcoin alphabet, made for Solana's 32-byte keys and 64-byte signatures.
//!
//! | | 32 bytes | 64 bytes | any length |
//! |---|---|---|---|
//! | into a buffer | [`encode_32`] | [`encode_64`] | [`encode_into`] |
//! | from text | [`decode_32`] | [`decode_64`] | [`decode_into`] |
//!
//! With the feature `alloc` (on by default) there are also `encode_to_string`, which appends,
//! `encode` and `decode`; these and `encode_into` take the fixed kernels where the length fits.
//!
//! The crate is `no_std` and has no dependencies. All tables are constants, so nothing is set up
//! at run time. No input panics. Text and refusals are those of the crate `bs58`.
//!
//! ```
//! let mut text = [0; base58::MAX_LEN_32];
//! let len = base58::encode_32(&[7; 32], &mut text);
//! assert_eq!(base58::decode_32(&text[..len]), Ok([7; 32]));
//! ```

#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(test)]
extern crate std;

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;

mod alphabet;
mod any_length;
mod decode_fixed;
mod encode_fixed;
mod error;
#[cfg(any(not(feature = "alloc"), test))]
mod in_place;
mod lanes;
#[cfg(feature = "alloc")]
mod limbs;
#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
mod radix;
mod text;

pub use alphabet::ALPHABET;
pub use any_length::{decode_into, encode_into, max_encoded_len};
pub use decode_fixed::{decode_32, decode_64};
pub use encode_fixed::{MAX_LEN_32, MAX_LEN_64, encode_32, encode_64};
pub use error::{BufferTooSmall, DecodeError};
#[cfg(feature = "alloc")]
pub use owned::{decode, encode, encode_to_string};
