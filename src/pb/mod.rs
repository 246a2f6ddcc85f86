//! The protobuf types of this package, generated from `proto/` by `make protogen`; only this file is written
//! by hand.

/// `pumpfun.v1`: the rows that leave the module.
#[allow(missing_docs, clippy::all, clippy::restriction, rustdoc::all)]
pub mod v1 {
    include!("pumpfun.v1.mod.rs");
}
