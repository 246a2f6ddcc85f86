//! Every contender gives our rows on generated blocks: byte for byte, or field by field where it writes them itself.

use prost::Message;
use prost::bytes::Bytes;
use pumpfun_bench_contenders::prost_rows::Trades;
use pumpfun_bench_contenders::{CONTENDERS, ordinary, ours};

#[test]
fn all_contenders_agree() {
    let mut trades = 0;
    for block in pumpfun_generate::blocks(42, 16) {
        let bytes = Bytes::from(block.bytes);
        let expected = ours::ours(&bytes).unwrap();
        let rows = Trades::decode(&expected[..]).unwrap();
        trades += rows.trades.len();
        for (name, contender) in CONTENDERS {
            let output = contender(&bytes).unwrap();
            if contender as usize == ordinary::prost_and_bs58 as *const () as usize {
                assert_eq!(Trades::decode(&output[..]).unwrap(), rows, "{name}");
            } else {
                assert!(output == expected, "{name} on slot {}", block.slot);
            }
        }
    }
    assert!(trades > 300);
}
