//! What the modules get from `map_events`: their argument, read no further than is needed.

use std::ops::Deref;

use buffa::DecodeError;
use substreams::lazy::LazyDecode;

/// An argument of type `Events`, encoded: who reads it, reads the rows and fields that matter.
pub struct EventsInput<'a>(&'a [u8]);

impl Deref for EventsInput<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

impl<'a> LazyDecode<'a> for EventsInput<'a> {
    fn decode_lazy_slice(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Ok(Self(bytes))
    }
}
