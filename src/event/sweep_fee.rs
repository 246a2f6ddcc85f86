//! SweepBondingCurveFeeEvent: fees that lay on a curve are paid out; trades have counted them already.
//!
//! | layout | adds | payload bytes so far |
//! |---|---|---|
//! | [`V0`] | all | 145 |
//!
//! Source: the vendor's published IDLs.

use super::groups::event;
use crate::program::Pubkey;

event! {
    /// Fees paid out of a curve.
    SweepBondingCurveFeeEvent, 0x742b_4dbd_117a_482b,
    /// What every SweepBondingCurveFeeEvent has.
    v0: V0 (145) {
        /// Unix seconds; the IDL's `timestamp`.
        event_timestamp: i64,
        /// Mint of the coin.
        mint: Pubkey,
        /// Account of its curve.
        bonding_curve: Pubkey,
        /// The zero key means SOL.
        quote_mint: Pubkey,
        /// Who gets them.
        recipient: Pubkey,
        /// Smallest units of the quote.
        amount: u64,
        /// 0: the protocol's fees; 1: the creator's.
        bucket: u8,
    }
}
