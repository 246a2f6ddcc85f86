//! Ctrl-C at any moment ends `pumpfun-engine` and all that it has started, and leaves no folder behind.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use pumpfun_engine::process::{Background, free_port};

#[test]
fn an_interrupt_at_any_moment_leaves_nothing() {
    for milliseconds in [100, 400, 700, 1100, 1600, 2500] {
        let ports = [free_port().unwrap(), free_port().unwrap()];
        let [port, postgres_port] = ports.map(|port| port.to_string());
        let mut sink = Command::new(env!("CARGO_BIN_EXE_pumpfun-engine"))
            .args(["sink", "--port", &port, "--postgres-port", &postgres_port])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A terminal sends Ctrl-C to all of a group.
            .process_group(0)
            .spawn()
            .unwrap();
        let id = sink.id();
        thread::sleep(Duration::from_millis(milliseconds));
        let interrupted = Command::new("sh")
            .args(["-c", &format!("kill -s INT -- -{id}")])
            .status()
            .unwrap();
        let status = sink.wait().unwrap();
        // It may have been done by then.
        assert!(!interrupted.success() || matches!(status.code(), Some(130 | 0)));

        // Servers end by themselves then, but not at the same instant.
        let began = Instant::now();
        let free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
        while !ports.into_iter().all(free) {
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "interrupted after {milliseconds} ms, a server goes on"
            );
            thread::sleep(Duration::from_millis(50));
        }
        let left: Vec<_> = std::env::temp_dir()
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap_or_default())
            .filter(|name| name.starts_with("pumpfun-") && name.contains(&format!("-{id}-")))
            .collect();
        assert_eq!(
            left, [""; 0],
            "interrupted after {milliseconds} ms, folders are left"
        );
    }
}

#[test]
fn a_server_that_ends_is_not_waited_for() {
    let mut command = Command::new("sh");
    command.args(["-c", "echo 'the disk is full' >&2; exit 1"]);
    let mut server = Background::start_tied(&command, "TERM").unwrap();
    let (began, limit) = (Instant::now(), Duration::from_secs(60));
    let error = server.wait_for("ready", limit).unwrap_err();
    assert!(error.to_string().contains("the disk is full"), "{error}");
    let error = server.wait_for_condition("answers", limit, || Ok(true));
    assert!(error.is_err() && began.elapsed() < limit);
}
