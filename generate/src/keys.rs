//! Public keys: the programs and accounts of mainnet that every block names.
//!
//! The addresses are those of the deployed programs, read off mainnet blocks of 2025 and 2026, so
//! that a generated block has the same few 32-byte strings over and over where a real one has them.

/// A public key.
pub type Key = [u8; 32];

/// A key that is also written as text somewhere (token balances, logs).
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) key: Key,
    pub(crate) text: String,
}

impl Named {
    pub(crate) fn new(key: Key) -> Self {
        Self {
            key,
            text: bs58::encode(key).into_string(),
        }
    }
}

/// A deployed program.
pub(crate) struct Program {
    pub(crate) key: Key,
    pub(crate) text: &'static str,
    /// Built-in programs log no "consumed" line.
    pub(crate) builtin: bool,
}

const fn address(text: &str) -> Key {
    bs58::decode(text.as_bytes()).into_array_const_unwrap()
}

const fn builtin(text: &'static str) -> Program {
    Program {
        key: address(text),
        text,
        builtin: true,
    }
}

const fn program(text: &'static str) -> Program {
    Program {
        key: address(text),
        text,
        builtin: false,
    }
}

/// Pump (bonding curve), the program whose events are to be found.
pub const PUMP_PROGRAM: Key = PUMP.key;
/// The event authority of Pump, the only account of its event instructions.
pub const PUMP_EVENT_AUTHORITY: Key = address("Ce6TQqeHC9p8KetsN6JsjHK7UTZk7nasjjnr7XxXp9F1");
/// The user in trades of the Mayhem agent.
pub const MAYHEM_AGENT: Key = address("BwWK17cbHxwWBKZkUYvzxLcNQ1YVyaFezduWbtm2de6s");
/// The mint of USDC, 6 decimals.
pub const USDC_MINT: Key = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
/// The zero key: SOL as a quote mint, and nobody as a fee recipient.
pub const ZERO_KEY: Key = [0; 32];

pub(crate) const WRAPPED_SOL: Key = address(WRAPPED_SOL_TEXT);
pub(crate) const WRAPPED_SOL_TEXT: &str = "So11111111111111111111111111111111111111112";
pub(crate) const CLOCK: Key = address("SysvarC1ock11111111111111111111111111111111");

pub(crate) static PUMP: Program = program("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P");
pub(crate) static PUMP_SWAP: Program = program("pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA");
pub(crate) static PUMP_FEES: Program = program("pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ");
pub(crate) static MAYHEM: Program = program("MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e");
pub(crate) static SYSTEM: Program = builtin("11111111111111111111111111111111");
pub(crate) static VOTE: Program = builtin("Vote111111111111111111111111111111111111111");
pub(crate) static COMPUTE_BUDGET: Program = builtin("ComputeBudget111111111111111111111111111111");
pub(crate) static TOKEN: Program = program("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
pub(crate) static TOKEN_2022: Program = program("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
pub(crate) static ASSOCIATED_TOKEN: Program =
    program("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
pub(crate) static MEMO: Program = program("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
pub(crate) static JUPITER: Program = program("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4");

/// Programs through which trades reach Pump.
pub(crate) static ROUTERS: [Program; 5] = [
    program("FLASHX8DrLbgeR8FcfNV1F5krxYcYMUdBkrP1EPBtxB9"),
    program("GMgnVFR8Jb39LoXsEVzb3DvBy3ywCmdmJquHUy1Lrkqb"),
    program("AxiomfHaWDemCFBLBayqnEnNwE6b7B2Qz3UmzMpgbMG6"),
    program("obioE3skQoLSiAJjSp8acT838T1wEmfEvYdMRWX3KDr"),
    program("DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH"),
];

/// Launchpads that use the same event tag and the same discriminator of TradeEvent as Pump.
pub(crate) static LOOKALIKES: [Program; 2] = [
    program("LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj"),
    program("MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG"),
];

/// Exchanges of the other traffic.
pub(crate) static EXCHANGES: [Program; 6] = [
    program("675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8"),
    program("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"),
    program("CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK"),
    program("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"),
    program("LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo"),
    program("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG"),
];

/// Programs of market makers and price feeds: many small transactions.
pub(crate) static FEEDS: [Program; 4] = [
    program("BiSoNHVpsVZW2F7rx2eQ59yQwKxzU5NvBcmKshCSUypi"),
    program("PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY"),
    program("King7ki4SKMBPb3iupnQwTyjsq294jaXsgLmJo8cb7T"),
    program("9H6tua7jkLhdm3w8BvgpTn5LZNU7g4ZynDmCiNN3q6Rp"),
];
