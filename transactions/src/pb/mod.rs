//! The protobuf types of this crate, generated from `proto/` by `make protogen`; only this file is written by hand.

/// `pumpfun.v1`: what leaves the module.
#[allow(missing_docs, clippy::all, clippy::restriction, rustdoc::all)]
pub mod v1 {
    include!("pumpfun.v1.mod.rs");
}
