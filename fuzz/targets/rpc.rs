//! Any text, taken for an answer to `getBlock`.
#![no_main]

use pumpfun_fuzz::{check_block, write};
use pumpfun_tool::rpc::{Answer, parse};
use pumpfun_trades::block::Block;

libfuzzer_sys::fuzz_target!(|json: &[u8]| {
    let answer = match parse(json, Some(write::SLOT), None) {
        Ok(Answer::Block(block)) => block,
        // A refusal is a line or two, whatever was sent.
        Ok(Answer::Later(why) | Answer::Refused(why)) => {
            return assert!(why.len() < 1000 + json.len(), "{why}");
        }
        Ok(Answer::Skipped) => return,
        Err(error) => {
            return assert!(format!("{error:#}").len() < 1000 + json.len(), "{error:#}");
        }
    };
    // Whatever it holds, it is a block, of the slot that was asked for, and what is made of it is right.
    let block = Block::decode(&answer).expect("what was converted decodes");
    assert_eq!(block.slot(), write::SLOT);
    assert!(check_block(&answer).is_some());
    // The answer's result alone is the same answer.
    let whole: serde_json::Value = serde_json::from_slice(json).expect("it was read before");
    if let Some(result) = whole.get("result").filter(|result| !result.is_null()) {
        let result = parse(result.to_string().as_bytes(), Some(write::SLOT), None);
        assert_eq!(result.ok(), Some(Answer::Block(answer)));
    }
});
