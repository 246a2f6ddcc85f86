//! The two forms of rows: messages whose keys are strings, and messages whose keys are bytes.

use super::Place;
use super::keys::{Base58, KeyForm, RawBytes};
use super::trade::trade_view;
use super::writer::{RowSink, Texts, timestamp};
use crate::event::{TradeEvent, Unreadable};
use crate::pb::v1::__buffa::view;

/// A form that rows are written in; [`RowWriter`](super::RowWriter) is how to use it.
pub trait RowForm: KeyForm {
    /// Adds a trade and the shareholders that it names.
    #[doc(hidden)]
    fn push_trade(
        rows: &mut RowSink,
        texts: &mut Texts<Self>,
        place: &Place<'_>,
        event: &TradeEvent,
    );

    /// Adds an event that cannot be read.
    #[doc(hidden)]
    fn push_raw_event(
        rows: &mut RowSink,
        texts: &mut Texts<Self>,
        place: &Place<'_>,
        event: &[u8],
        reason: &Unreadable,
    );
}

/// Field numbers of both output messages.
const TRADES: u32 = 1;
const SHAREHOLDERS: u32 = 2;
const RAW_EVENTS: u32 = 3;

/// `$views` is the module that holds the views of the form's rows.
macro_rules! row_form {
    ($form:ty, $($views:ident)::+) => {
        impl RowForm for $form {
            fn push_trade(rows: &mut RowSink, texts: &mut Texts<Self>, place: &Place<'_>, event: &TradeEvent) {
                rows.push(TRADES, &trade_view!($($views)::+::TradeView, texts, place, event));
                let shareholders = event.v7.iter().flat_map(|v7| &v7.shareholders);
                for (position, shareholder) in (0..).zip(shareholders) {
                    Self::write(Some(&shareholder.address), &mut texts.address);
                    rows.push(SHAREHOLDERS, &$($views)::+::TradeShareholderView {
                        trade_id: &texts.id,
                        position,
                        address: &texts.address,
                        share_bps: shareholder.share_bps.into(),
                    });
                }
            }

            fn push_raw_event(
                rows: &mut RowSink,
                texts: &mut Texts<Self>,
                place: &Place<'_>,
                event: &[u8],
                reason: &Unreadable,
            ) {
                let (discriminator, data) = event.split_at_checked(8).unwrap_or((event, &[]));
                rows.push(RAW_EVENTS, &$($views)::+::RawEventView {
                    id: &texts.id,
                    slot: place.slot,
                    block_time: timestamp(place),
                    transaction_index: place.transaction_index,
                    instruction_index: place.instruction_index,
                    inner_instruction_index: place.inner_instruction_index,
                    stack_height: place.stack_height,
                    signature: &texts.signature,
                    fee_payer: &texts.fee_payer,
                    outer_program: &texts.outer_program,
                    failed: place.failed,
                    discriminator: &substreams::Hex::encode(discriminator),
                    data: &substreams::Hex::encode(data),
                    reason: &reason.to_string(),
                });
            }
        }
    };
}

row_form!(Base58, view);
row_form!(RawBytes, view::raw_trades);
