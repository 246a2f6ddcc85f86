//! Any bytes, taken for a block.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    pumpfun_fuzz::check_block(bytes);
});
