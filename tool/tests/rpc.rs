//! Blocks from an RPC: answers turned into blocks, and fetched from a server that misbehaves on purpose.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "common/answer.rs"]
mod answer;

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use buffa::Message;
use serde_json::{Value, json};
use substreams_solana::pb::sf::solana::r#type::v1::{Block, ConfirmedTransaction};
use tempfile::TempDir;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn pumpfun(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pumpfun"));
    command
        .args(args)
        .current_dir(repository())
        .env_remove("PUMPFUN_RPC_URL");
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The real answers, by slot, decompressed; none where they are missing.
fn real_answers() -> HashMap<u64, String> {
    let folder = repository().join("../shared/rpc");
    let Ok(files) = fs::read_dir(&folder) else {
        eprintln!("skipped: ../shared is not there, so neither are real answers");
        return HashMap::new();
    };
    let files = files.map(|file| {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let slot = name.split('.').next().unwrap().parse().unwrap();
        let json = zstd::decode_all(fs::File::open(path).unwrap()).unwrap();
        (slot, String::from_utf8(json).unwrap())
    });
    files.collect()
}

/// An answer with one transaction of two keys, made up.
fn made_up(slot: u64) -> String {
    made_up_behind(slot - 1, slot)
}

/// The same, of a block whose parent is at `parent`.
fn made_up_behind(parent: u64, slot: u64) -> String {
    let key = |byte: u8| bs58(&[byte; 32]);
    json!({"jsonrpc": "2.0", "id": slot, "result": {
        "blockhash": key(1), "previousBlockhash": key(2), "parentSlot": parent, "blockTime": 1_790_985_600,
        "blockHeight": slot - 1000, "rewards": [],
        "transactions": [{
            "version": "legacy",
            "transaction": {"signatures": [bs58(&[3; 64])], "message": {
                "header": {"numRequiredSignatures": 1, "numReadonlySignedAccounts": 0, "numReadonlyUnsignedAccounts": 1},
                "accountKeys": [key(4), key(5)], "recentBlockhash": key(2),
                "instructions": [{"programIdIndex": 1, "accounts": [0], "data": "", "stackHeight": null}],
            }},
            "meta": {"err": {"InstructionError": [0, {"Custom": 7}]}, "fee": 5000, "preBalances": [1, 2],
                "postBalances": [1, 2], "innerInstructions": null, "logMessages": null},
        }],
    }})
    .to_string()
}

fn bs58(bytes: &[u8]) -> String {
    base58::encode(bytes)
}

fn decode(file: &Path) -> Block {
    let bytes = zstd::decode_all(fs::File::open(file).unwrap()).unwrap();
    Block::decode_from_slice(&bytes).unwrap()
}

#[test]
fn real_answers_become_the_blocks_that_they_are_of() {
    let out = TempDir::new().unwrap();
    for slot in real_answers().into_keys() {
        let output = pumpfun(&[
            "convert",
            "../shared/rpc",
            "--out",
            out.path().to_str().unwrap(),
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        let single = format!("../shared/blocks/{slot}.binpb.zst");
        let name = format!("{slot}.binpb.zst");
        let mut converted = decode(&out.path().join(&name));
        let mut real = decode(&repository().join(&single));
        assert_eq!(converted.transactions.len(), real.transactions.len());
        for (index, (converted, real)) in converted
            .transactions
            .iter_mut()
            .zip(&mut real.transactions)
            .enumerate()
        {
            // What the one has and the other not: a version's number, and costs.
            for transaction in [&mut *converted, &mut *real] {
                if let Some(message) = transaction
                    .transaction
                    .as_option_mut()
                    .and_then(|t| t.message.as_option_mut())
                {
                    message.version = None;
                }
                if let Some(meta) = transaction.meta.as_option_mut() {
                    meta.cost_units = None;
                }
            }
            let meta = |transaction: &ConfirmedTransaction| format!("{:?}", transaction.meta);
            assert_eq!(
                meta(converted),
                meta(real),
                "slot {slot}: transaction {index}"
            );
            assert_eq!(converted, real, "slot {slot}: transaction {index}");
        }
        assert_eq!(
            (
                &converted.blockhash,
                converted.parent_slot,
                converted.block_time,
                converted.block_height
            ),
            (
                &real.blockhash,
                real.parent_slot,
                real.block_time,
                real.block_height
            )
        );
        assert_eq!(converted.rewards, real.rewards);

        // And so the same rows, from the answer itself, the converted block, and bundles.
        let rows = |path: &str| {
            let output = pumpfun(&[
                "extract",
                "--failed",
                "--rows",
                "all",
                "--slots",
                &slot.to_string(),
                path,
            ]);
            assert!(output.status.success(), "{}", stderr(&output));
            output.stdout
        };
        assert_eq!(rows("../shared/rpc"), rows(&single));
        assert_eq!(
            rows(out.path().join(&name).to_str().unwrap()),
            rows(&single)
        );
        let bundles = out.path().join(format!("bundles-{slot}"));
        let output = pumpfun(&[
            "bundle",
            out.path().join(&name).to_str().unwrap(),
            "--out",
            bundles.to_str().unwrap(),
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(rows(bundles.to_str().unwrap()), rows(&single));
    }
}

#[test]
fn answers_of_generated_blocks_give_the_rows_of_the_blocks() {
    let folders = TempDir::new().unwrap();
    let folder = |name: &str| folders.path().join(name);
    for name in ["blocks", "json", "base64"] {
        fs::create_dir(folder(name)).unwrap();
    }
    for generated in pumpfun_generate::blocks(pumpfun_generate::DEFAULT_SEED, 4) {
        let slot = generated.slot;
        let block = Block::decode_from_slice(&generated.bytes).unwrap();
        fs::write(
            folder("blocks").join(format!("{slot}.binpb")),
            &generated.bytes,
        )
        .unwrap();
        for encoding in ["json", "base64"] {
            let answer = answer::answer(&block, encoding).to_string();
            fs::write(folder(encoding).join(format!("{slot}.json")), answer).unwrap();
        }
    }
    let rows = |name: &str| {
        let path = folder(name);
        let path = path.to_str().unwrap();
        let output = pumpfun(&["extract", "--failed", "--rows", "all", path]);
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let expected = rows("blocks");
    assert!(expected.lines().count() > 50);
    assert_eq!(rows("json"), expected);
    assert_eq!(rows("base64"), expected);
}

#[test]
fn answers_that_are_none_say_what_is_wrong() {
    let folder = TempDir::new().unwrap();
    let convert = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let out = folder.path().join("out");
        let output = pumpfun(&[
            "convert",
            path.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ]);
        (output.status.code(), stderr(&output))
    };
    let (status, says) = convert("430000000.json", &made_up(430_000_000));
    assert_eq!(status, Some(0), "{says}");
    let block = decode(&folder.path().join("out/430000000.binpb.zst"));
    let meta = block.transactions[0].meta.as_option().unwrap();
    // Bincode: the variant InstructionError, its index, the variant Custom, its code.
    assert_eq!(
        meta.err.as_option().unwrap().err,
        [8, 0, 0, 0, 0, 25, 0, 0, 0, 7, 0, 0, 0]
    );
    assert_eq!((block.slot, block.transactions.len()), (430_000_000, 1));

    let edited = |from: &str, to: &str| made_up(430_000_000).replace(from, to);
    for (name, text, expected) in [
        ("block.json", made_up(430_000_000), "does not say its slot"),
        (
            "429999999.json",
            made_up(430_000_000),
            "parent is at slot 429999999, so it is not that of slot 429999999",
        ),
        (
            "430000000.json",
            made_up(430_000_000)[..300].to_owned(),
            "no answer to getBlock, as it is not one JSON value",
        ),
        ("430000000.json", "{}".to_owned(), "no answer to getBlock"),
        (
            "430000000.json",
            edited("\"programIdIndex\":1", "\"programIdIndex\":-1"),
            "no answer to getBlock",
        ),
        (
            "430000000.json",
            edited(&bs58(&[4; 32]), "0OIl"),
            "slot 430000000: transaction 0: message: \"0OIl\"",
        ),
        (
            "430000000.json",
            r#"{"error": {"code": -32007, "message": "skipped"}}"#.to_owned(),
            "the slot was skipped",
        ),
        (
            "430000000.json",
            r#"{"error": {"code": -32015, "message": "version"}}"#.to_owned(),
            "holds no block: version (-32015)",
        ),
    ] {
        let (status, says) = convert(name, &text);
        assert_eq!(status, Some(1), "{says}");
        assert!(says.contains(expected), "{expected}: {says}");
    }
    // Another block of the same slot is not written over in silence.
    let (status, says) = convert("430000000.json", &edited(&bs58(&[1; 32]), &bs58(&[9; 32])));
    assert_eq!(status, Some(1));
    assert!(says.contains("holds another block of this slot"), "{says}");
}

/// What the server does with a question.
#[derive(Clone, Debug)]
enum Act {
    Answer(String),
    /// A status, and the seconds of Retry-After.
    Status(u16, Option<u32>),
    /// Half of an answer, then the connection is closed.
    Cut(String),
    /// Nothing, for longer than anybody waits.
    Silence,
}

/// A server on loopback; ends when it is dropped.
struct Server {
    port: u16,
    stop: Arc<AtomicBool>,
    /// What was asked: path and authorization of each question.
    asked: Arc<Mutex<Vec<(String, String, u64)>>>,
}

impl Server {
    /// Answers the questions for each slot with its acts, one after the other, the last one again and again.
    fn start(acts: HashMap<u64, Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            stop: Arc::default(),
            asked: Arc::default(),
        };
        let (stop, asked) = (Arc::clone(&server.stop), Arc::clone(&server.asked));
        let acts = Arc::new(Mutex::new(acts));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let (asked, acts, stop) =
                    (Arc::clone(&asked), Arc::clone(&acts), Arc::clone(&stop));
                thread::spawn(move || serve(stream.unwrap(), &asked, &acts, &stop));
            }
        });
        server
    }

    fn questions(&self, slot: u64) -> usize {
        self.asked
            .lock()
            .unwrap()
            .iter()
            .filter(|(_, _, asked)| *asked == slot)
            .count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes it up.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn serve(
    stream: TcpStream,
    asked: &Mutex<Vec<(String, String, u64)>>,
    acts: &Mutex<HashMap<u64, Vec<Act>>>,
    stop: &AtomicBool,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut head = Vec::new();
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap_or(0) > 2 {
            head.push(std::mem::take(&mut line));
        }
        let header = |name: &str| {
            let line = head
                .iter()
                .find(|line| line.to_lowercase().starts_with(name));
            line.map(|line| line.split_once(':').unwrap().1.trim().to_owned())
                .unwrap_or_default()
        };
        let Some(first) = head.first() else { return };
        let mut body = vec![0; header("content-length").parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let question: Value = serde_json::from_slice(&body).unwrap();
        let slot = question["params"][0].as_u64().unwrap();
        let options = &question["params"][1];
        assert_eq!(options["maxSupportedTransactionVersion"], 0);
        asked.lock().unwrap().push((
            first.split(' ').nth(1).unwrap().to_owned(),
            header("authorization"),
            slot,
        ));
        let act = {
            let mut acts = acts.lock().unwrap();
            let acts = acts
                .get_mut(&slot)
                .unwrap_or_else(|| panic!("asked for slot {slot}"));
            if acts.len() > 1 {
                acts.remove(0)
            } else {
                acts[0].clone()
            }
        };
        let mut stream = &stream;
        match act {
            Act::Answer(text) => {
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{text}",
                    text.len()
                )
                .unwrap();
            }
            Act::Status(status, wait) => {
                let wait = wait
                    .map(|wait| format!("retry-after: {wait}\r\n"))
                    .unwrap_or_default();
                write!(
                    stream,
                    "HTTP/1.1 {status} No\r\n{wait}content-length: 0\r\n\r\n"
                )
                .unwrap();
            }
            Act::Cut(text) => {
                let half = &text[..text.len() / 2];
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{half}",
                    text.len()
                )
                .unwrap();
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
            Act::Silence => {
                while !stop.load(Ordering::SeqCst) {
                    thread::sleep(Duration::from_millis(20));
                }
                return;
            }
        }
    }
}

/// Runs `fetch` with short times.
fn fetch(server: &Server, folder: &Path, slots: &str, more: &[&str]) -> Output {
    let url = format!(
        "http://user:SECRETPASSWORD@127.0.0.1:{}/v2/SECRETKEY?api-key=SECRETTOO",
        server.port
    );
    let mut args = vec!["fetch", "--rpc", &url, "--slots", slots];
    for pair in [["--timeout", "1"], ["--pause", "0.01"], ["--retries", "4"]] {
        if !more.contains(&pair[0]) {
            args.extend(pair);
        }
    }
    let output = pumpfun(&[&args, more, &[folder.to_str().unwrap()]].concat());
    let said = [output.stdout.clone(), output.stderr.clone()].concat();
    let said = String::from_utf8(said).unwrap();
    assert!(!said.contains("SECRET"), "{said}");
    output
}

#[test]
fn a_server_that_misbehaves_costs_tries_and_no_blocks() {
    let answer = |slot: u64| Act::Answer(made_up(slot));
    let error = |code: i64| {
        Act::Answer(
            json!({"jsonrpc": "2.0", "error": {"code": code, "message": "so it is"}}).to_string(),
        )
    };
    let first = 430_000_000;
    let acts = [
        vec![answer(first)],
        vec![Act::Status(429, Some(0)), answer(first + 1)],
        vec![
            Act::Status(500, None),
            Act::Status(503, None),
            answer(first + 2),
        ],
        vec![Act::Cut(made_up(first + 3)), answer(first + 3)],
        vec![Act::Silence, answer(first + 4)],
        vec![
            Act::Answer("<html>busy</html>".to_owned()),
            answer(first + 5),
        ],
        vec![Act::Answer(String::new()), answer(first + 6)],
        // Another block's.
        vec![answer(first + 2), answer(first + 7)],
        vec![error(-32004), error(-32014), answer(first + 8)],
        vec![error(-32007)],
        vec![error(-32009)],
        // Not confirmed yet; and an answer to another question.
        vec![
            Act::Answer(r#"{"jsonrpc":"2.0","result":null}"#.to_owned()),
            Act::Answer(made_up(first + 1)),
            Act::Answer(made_up_behind(first + 8, first + 11)),
        ],
    ];
    let tries = [1, 2, 3, 2, 2, 2, 2, 2, 3, 1, 1, 3];
    // The block of `first + 2` has a parent below `first + 7`: what tells it apart is the slot, where an answer has it.
    let mut acts = acts;
    acts[7][0] = Act::Answer(made_up(first + 2).replace(
        "\"blockHeight\"",
        &format!("\"slot\":{},\"blockHeight\"", first + 2),
    ));
    let server = Server::start((first..).zip(acts).collect());
    let folder = TempDir::new().unwrap();
    let slots = format!("{first}..{}", first + 12);
    let output = fetch(&server, folder.path(), &slots, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("10 blocks fetched, 2 slots skipped, 0 were there, 0 failed"),
        "{}",
        stderr(&output)
    );
    for (slot, tries) in (first..).zip(tries) {
        assert_eq!(server.questions(slot), tries, "slot {slot}");
    }
    for slot in first..first + 9 {
        assert_eq!(
            decode(&folder.path().join(format!("{slot}.binpb.zst"))).slot,
            slot
        );
    }
    assert!(
        folder
            .path()
            .join(format!("{}.skipped", first + 9))
            .exists()
    );
    let (path, authorization, _) = server.asked.lock().unwrap()[0].clone();
    assert_eq!(path, "/v2/SECRETKEY?api-key=SECRETTOO");
    assert!(authorization.starts_with("Basic "));

    // Again: nothing is asked.
    let before = server.asked.lock().unwrap().len();
    let output = fetch(&server, folder.path(), &slots, &[]);
    assert!(
        stderr(&output).contains("0 blocks fetched, 0 slots skipped, 12 were there"),
        "{}",
        stderr(&output)
    );
    assert_eq!(server.asked.lock().unwrap().len(), before);
    // And the blocks are blocks.
    let output = pumpfun(&["stats", folder.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn a_block_that_is_lost_is_not_taken_for_skipped() {
    // The endpoint calls 2, 3 and 5 skipped; but the block of 4 names 2 as its parent's.
    let first = 430_000_000;
    let lost =
        json!({"error": {"code": -32007, "message": "skipped, or missing due to ledger jump"}});
    let answer = |parent: u64, slot: u64| Act::Answer(made_up_behind(first + parent, first + slot));
    let acts = [
        (first + 1, vec![answer(0, 1)]),
        (first + 2, vec![Act::Answer(lost.to_string())]),
        (first + 3, vec![Act::Answer(lost.to_string())]),
        (first + 4, vec![answer(2, 4)]),
        (first + 5, vec![Act::Answer(lost.to_string())]),
        (first + 6, vec![answer(4, 6)]),
    ];
    let server = Server::start(acts.into_iter().collect());
    let folder = TempDir::new().unwrap();
    let slots = format!("{}..={}", first + 1, first + 6);
    for (tries, were_there) in [(1, 0), (2, 5)] {
        let output = fetch(&server, folder.path(), &slots, &[]);
        assert_eq!(output.status.code(), Some(1));
        let says = stderr(&output);
        let expected = format!(
            "slot {}: was said to be skipped, but is the parent of slot {}",
            first + 2,
            first + 4
        );
        assert!(says.contains(&expected), "{says}");
        assert!(
            says.contains(&format!("{were_there} were there, 1 failed")),
            "{says}"
        );
        // It is asked for again each time, and the others are not.
        assert_eq!(server.questions(first + 2), tries);
        assert_eq!(server.questions(first + 3), 1);
    }
    let marks = [2, 3, 5].map(|slot| folder.path().join(format!("{}.skipped", first + slot)));
    assert_eq!(marks.map(|mark| mark.exists()), [false, true, true]);
}

#[test]
fn who_asks_for_a_day_of_patience_is_told_of() {
    let first = 430_000_000;
    let acts = HashMap::from([(first, vec![Act::Status(429, Some(86_400))])]);
    let server = Server::start(acts);
    let folder = TempDir::new().unwrap();
    let output = fetch(&server, folder.path(), &first.to_string(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let says = stderr(&output);
    assert!(
        says.contains("it asks to be left alone for 86400 s"),
        "{says}"
    );
}

#[test]
fn what_fails_for_good_is_told_and_the_rest_is_there() {
    let first = 430_000_000;
    let refused =
        json!({"error": {"code": -32015, "message": "Transaction version (1) is not supported at /v2/SECRETKEY"}})
            .to_string();
    // A text is cut somewhere, and half of a key is told as little.
    let long: Vec<_> = (440..500)
        .map(|length| json!({"error": {"code": -32015, "message": "x".repeat(length) + "SECRETKEY"}}))
        .collect();
    let acts = [
        (first, vec![Act::Status(500, None)]),
        (first + 1, vec![Act::Answer(made_up(first + 1))]),
        (first + 2, vec![Act::Status(403, None)]),
        (first + 3, vec![Act::Silence]),
        (first + 4, vec![Act::Answer(refused)]),
    ];
    let last = first + 4 + long.len() as u64;
    let long = (first + 5..)
        .zip(&long)
        .map(|(slot, refused)| (slot, vec![Act::Answer(refused.to_string())]));
    let server = Server::start(acts.into_iter().chain(long).collect());
    let folder = TempDir::new().unwrap();
    // A few at a time, as no more than the first are told.
    for start in (first + 5..=last).step_by(20) {
        let slots = format!("{start}..{}", (start + 20).min(last + 1));
        let output = fetch(&server, folder.path(), &slots, &[]);
        let says = stderr(&output);
        assert!(
            says.contains("xxxx") && !says.contains("xSECR") && !says.contains("xS"),
            "{says}"
        );
    }
    let output = fetch(
        &server,
        folder.path(),
        &format!("{first}..={}", first + 4),
        &["--retries", "2"],
    );
    assert_eq!(output.status.code(), Some(1));
    let says = stderr(&output);
    for expected in [
        format!(
            "slot {first}: http://127.0.0.1:{}: 3 tries: HTTP status 500",
            server.port
        ),
        format!(
            "slot {}: http://127.0.0.1:{}: HTTP status 403",
            first + 2,
            server.port
        ),
        format!(
            "slot {}: http://127.0.0.1:{}: 3 tries: timed out",
            first + 3,
            server.port
        ),
        "refuses it: Transaction version (1) is not supported at /v2/… (-32015)".to_owned(),
        "1 blocks fetched, 0 slots skipped, 0 were there, 4 failed".to_owned(),
    ] {
        assert!(says.contains(&expected), "{expected}: {says}");
    }
    assert_eq!(
        (server.questions(first + 2), server.questions(first)),
        (1, 3)
    );
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(names, [format!("{}.binpb.zst", first + 1).as_str()]);
}

#[test]
fn what_cannot_come_to_an_end_is_given_up() {
    // A key that is not accepted, and a hundred million slots.
    let first = 430_000_000;
    let refused = (first..first + 300).map(|slot| (slot, vec![Act::Status(403, None)]));
    let server = Server::start(refused.collect());
    let folder = TempDir::new().unwrap();
    let slots = format!("{first}..{}", first + 100_000_000);
    let output = fetch(&server, folder.path(), &slots, &[]);
    assert_eq!(output.status.code(), Some(1));
    let says = stderr(&output);
    assert!(
        says.contains("error: 50 slots have failed, and none has not: given up"),
        "{says}"
    );
    assert!(server.asked.lock().unwrap().len() < 100);

    // A file that cannot be written: the first error ends it.
    let answers = (first..first + 300).map(|slot| (slot, vec![Act::Answer(made_up(slot))]));
    let server = Server::start(answers.collect());
    fs::create_dir(folder.path().join(format!("{first}.binpb.partial"))).unwrap();
    let output = fetch(&server, folder.path(), &slots, &["--jobs", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let says = stderr(&output);
    assert!(says.contains(&format!("{first}.binpb.zst: ")), "{says}");
    assert_eq!(server.asked.lock().unwrap().len(), 1);
}

#[test]
fn addresses_that_are_none_are_refused_without_being_told() {
    for url in ["SECRET", "ftp://SECRET", "http://", "https:///SECRET"] {
        let output = pumpfun(&["fetch", "--rpc", url, "--slots", "1..2", "nowhere"]);
        assert_eq!(output.status.code(), Some(1), "{url}");
        let said = stderr(&output);
        assert!(
            said.contains("RPC address") && !said.contains("SECRET"),
            "{said}"
        );
    }
    // A host that there is not, and nobody who listens.
    let folder = TempDir::new().unwrap();
    for url in [
        "http://127.0.0.1:1/SECRETKEY",
        "http://no.such.host.invalid/SECRETKEY",
    ] {
        let folder = folder.path().to_str().unwrap();
        let args = [
            "fetch",
            "--rpc",
            url,
            "--slots",
            "1..2",
            "--retries",
            "0",
            "--timeout",
            "5",
            folder,
        ];
        let output = pumpfun(&args);
        assert_eq!(output.status.code(), Some(1));
        assert!(!stderr(&output).contains("SECRET"), "{}", stderr(&output));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_pumpfun"));
    let output = command
        .args(["fetch", "--help"])
        .env("PUMPFUN_RPC_URL", "http://h/SECRET")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("PUMPFUN_RPC_URL") && !said.contains("SECRET"),
        "{said}"
    );
}

#[test]
fn real_answers_are_fetched_as_they_are() {
    for (slot, answer) in real_answers() {
        let mut answer: Value = serde_json::from_str(&answer).unwrap();
        if answer.get("id").is_some() {
            answer["id"] = json!(slot);
        }
        let answer = answer.to_string();
        let server = Server::start(HashMap::from([(
            slot,
            vec![Act::Cut(answer.clone()), Act::Answer(answer)],
        )]));
        let folder = TempDir::new().unwrap();
        let output = fetch(
            &server,
            folder.path(),
            &slot.to_string(),
            &["--timeout", "30"],
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let rows =
            |path: &str| pumpfun(&["extract", "--failed", "--rows", "all", "--quiet", path]).stdout;
        let real = rows(&format!("../shared/blocks/{slot}.binpb.zst"));
        assert!(!real.is_empty());
        assert_eq!(rows(folder.path().to_str().unwrap()), real);
    }
}
