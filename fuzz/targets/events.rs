//! Any bytes, taken for an event: discriminator and payload. What is no known discriminator stands for one.
#![no_main]

use pumpfun_fuzz::{check_block, write};
use pumpfun_trades::event::fields::{EventFields, Fields, Value};
use pumpfun_trades::event::{Event, READ_EVENTS, TradeEvent, read};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((head, payload)) = input.split_first_chunk::<8>() else {
        let _ = read(input);
        return;
    };
    let discriminator = match READ_EVENTS.iter().find(|(known, _)| known == head) {
        Some((known, _)) => *known,
        None => READ_EVENTS[usize::from(head[0]) % READ_EVENTS.len()].0,
    };
    let data = [&discriminator, payload].concat();
    let Ok(event) = read(&data) else {
        return check_rows(&data, false);
    };
    let whole = Told::of(&event);
    let known = data.len() - whole.unknown_trailing_bytes;

    // Exactly the known bytes are read: without the others nothing changes but their count, and with one less of the
    // known ones the last layout is gone.
    let cut = Told::of(&read(&data[..known]).expect("what was read is there"));
    assert_eq!((cut.layout, cut.unknown_trailing_bytes), (whole.layout, 0));
    assert_eq!(cut.fields, whole.fields);
    if let Ok(shorter) = read(&data[..known - 1]) {
        assert_ne!(Told::of(&shorter).layout, whole.layout);
    }
    // Whatever a longer event tells, one that is cut tells as far as it goes, or nothing.
    for length in (8..known).rev().step_by(1 + known / 64) {
        let Ok(shorter) = read(&data[..length]) else {
            continue;
        };
        for (field, expected) in Told::of(&shorter).fields.iter().zip(&whole.fields) {
            assert!(
                field.1.is_none() || field == expected,
                "{field:?} {expected:?}"
            );
        }
    }
    check_rows(&data, true);
});

/// An event makes one row, whatever is in it.
fn check_rows(data: &[u8], read: bool) {
    let transaction = write::transaction([write::called(0, [write::emitted(1, data, 2)])]);
    let rows = check_block(&write::block([transaction])).expect("a valid block");
    let kinds = [
        rows.trades.len(),
        rows.creations.len(),
        rows.completions.len(),
        rows.post_completion_buys.len(),
        rows.migrations.len(),
        rows.creator_changes.len(),
        rows.mayhem_updates.len(),
        rows.fee_collections.len(),
        rows.fee_sweeps.len(),
    ];
    assert_eq!(kinds.iter().sum::<usize>(), usize::from(read));
    assert_eq!(rows.raw_events.len(), usize::from(!read));
}

/// What an event tells.
#[derive(Default)]
struct Told {
    layout: &'static str,
    unknown_trailing_bytes: usize,
    fields: Vec<(&'static str, Option<String>)>,
}

impl Told {
    fn of(event: &Event) -> Self {
        let event: &dyn EventFields = match event {
            Event::Trade(event) => return Self::of_trade(event),
            Event::Create(event) => event,
            Event::Complete(event) => event,
            Event::PostCompleteBuy(event) => event,
            Event::CompletePumpAmmMigration(event) => event,
            Event::SetCreator(event) => event,
            Event::AdminSetCreator(event) => event,
            Event::AdminCto(event) => event,
            Event::SetMetaplexCreator(event) => event,
            Event::MigrateBondingCurveCreator(event) => event,
            Event::UpdateMayhemVirtualParams(event) => event,
            Event::CollectCreatorFee(event) => event,
            Event::SweepBondingCurveFee(event) => event,
            Event::Other(_) => return Self::default(),
        };
        let mut told = Self {
            layout: event.layout(),
            unknown_trailing_bytes: event.unknown_trailing_bytes() as usize,
            fields: Vec::new(),
        };
        event.fields(&mut told);
        told
    }

    /// A trade's groups are its fields.
    fn of_trade(event: &TradeEvent) -> Self {
        let mut told = Self {
            layout: event.layout,
            unknown_trailing_bytes: event.unknown_trailing_bytes as usize,
            fields: vec![("v0", Some(format!("{:?}", event.v0)))],
        };
        macro_rules! groups {
            ($($group:ident)*) => {
                $(told.fields.push((
                    stringify!($group),
                    event.$group.as_ref().map(|group| format!("{group:?}")),
                ));)*
            };
        }
        groups!(v1 v2 v3 v4 v5 v6 v6b v7 v8 v9);
        told
    }
}

impl Fields for Told {
    fn required(&mut self, name: &'static str, value: Value<'_>) {
        self.fields.push((name, Some(format!("{value:?}"))));
    }

    fn optional(&mut self, name: &'static str, value: Option<Value<'_>>) {
        self.fields
            .push((name, value.map(|value| format!("{value:?}"))));
    }
}
