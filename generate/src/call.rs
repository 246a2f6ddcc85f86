//! What a transaction is made of before it has an account table: accounts in their roles, and calls in
//! the order they ran.

use crate::keys::{Key, Program};

/// How an account is listed, in the order of the account table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    SignerWritable,
    SignerReadonly,
    Writable,
    Readonly,
    /// Written through an address lookup table.
    LoadedWritable,
    /// Read through an address lookup table.
    LoadedReadonly,
}

/// Number of an account within the builder; becomes a table index when the transaction is built.
pub(crate) type Account = u8;

/// One instruction as it ran.
pub(crate) struct Call {
    pub(crate) program: &'static Program,
    pub(crate) program_account: Account,
    pub(crate) accounts: Vec<Account>,
    pub(crate) data: Vec<u8>,
    /// 1 for an outer instruction.
    pub(crate) height: u32,
    /// The program's own log line, such as "Instruction: Buy".
    pub(crate) says: &'static str,
    /// A line that the caller logs just before this call.
    pub(crate) line_before: Option<String>,
    /// Data that the program returned, for its `Program return:` line.
    pub(crate) returns: Option<Vec<u8>>,
}

/// Why a transaction failed: in its last outer instruction.
pub(crate) struct Failure {
    /// Custom error code of the program.
    pub(crate) code: u32,
    /// What the program logged about it.
    pub(crate) line: &'static str,
}

/// What a block says to all its transactions.
pub(crate) struct BlockContext {
    pub(crate) recent_blockhash: Key,
    /// Whether inner instructions carry their stack height (blocks of the old style do not).
    pub(crate) stack_heights: bool,
}
