//! The protobuf types of this package, generated from `proto/` by `buf generate`; only this file is written by hand.

/// `usertrades.v1`: what the modules give.
#[allow(missing_docs, clippy::all, rustdoc::all)]
pub mod v1 {
    include!("usertrades.v1.mod.rs");
}
