//! The contenders as modules of one wasm, exported as a Substreams module of Rust is: a function that takes pointer and
//! length of a block, and hands its output to the host.

use pumpfun_bench_contenders::{Contender, eager, lazy, ordinary, ours};
use substreams::buffa::bytes::Bytes;

/// Exports contenders under the names that the benches call them by.
macro_rules! modules {
    ($($name:ident: $contender:path),*) => {
        $(
            /// A contender; `pointer` and `length` are those of a block that the host has written.
            #[unsafe(no_mangle)]
            #[allow(unsafe_code, clippy::not_unsafe_ptr_arg_deref, reason = "the interface of wasm/rust-v1")]
            pub extern "C" fn $name(pointer: *const u8, length: usize) {
                // SAFETY: the host has written `length` bytes at the pointer that `alloc` gave it, and keeps them
                // until the call returns; the instance then ends.
                let block: &'static [u8] = unsafe { std::slice::from_raw_parts(pointer, length) };
                run($contender, block);
            }
        )*
    };
}

modules!(
    prost_ordinary: ordinary::prost_and_bs58,
    prost: eager::prost,
    prost_with_bytes: eager::prost_with_bytes,
    buffa_owned: eager::buffa_owned,
    buffa_view: eager::buffa_view,
    buffa_lazy_all_opened: lazy::all_opened,
    buffa_lazy_as_needed: lazy::as_needed,
    ours_again: ours::ours
);

fn run(contender: Contender, block: &'static [u8]) {
    substreams::register_panic_hook();
    match contender(&Bytes::from_static(block)) {
        Ok(rows) if rows.is_empty() => {}
        Ok(rows) => substreams::output_raw(rows),
        Err(error) => panic!("{error}"),
    }
}
