//! Addresses and marks by which Pump's bytes are known on chain.

use substreams_solana::b58;

/// The Pump program (bonding curve), `6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P`.
///
/// Whatever runs the program or names it holds these 32 bytes: in its static account keys, or in the addresses
/// loaded from a lookup table.
pub const PUMP_PROGRAM: [u8; 32] = b58!("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P");

/// First 8 bytes of the data of an inner instruction that carries an event of Anchor's `emit_cpi!` (Anchor's
/// `EVENT_IX_TAG_LE`); the event's discriminator follows, then its Borsh payload.
pub const EVENT_TAG: [u8; 8] = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d];

/// The zero key, `11111111111111111111111111111111`: as a quote mint it means SOL, where the token program would have
/// the mint of wrapped SOL.
pub const SOL_QUOTE_MINT: Pubkey = [0; 32];

/// A Solana public key: 32 bytes.
pub type Pubkey = [u8; 32];
