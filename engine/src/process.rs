//! Commands: run to their end, or in the background until they are dropped.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// Runs a command to its end.
///
/// # Errors
///
/// When it cannot be started, does not end in `limit` (it is killed then), or fails: with what it said.
pub fn run(command: &mut Command, limit: Duration) -> Result<Output> {
    let output = output(command, limit)?;
    ensure!(
        output.status.success(),
        "{command:?} ended with {}:\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(output)
}

/// Runs a command to its end, whatever its status.
///
/// # Errors
///
/// When it cannot be started, or does not end in `limit` (it is killed then).
pub fn output(command: &mut Command, limit: Duration) -> Result<Output> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{command:?}"))?;
    let stdout = child.stdout.take().map(read_all);
    let stderr = child.stderr.take().map(read_all);
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if began.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        thread::sleep(Duration::from_millis(10));
    };
    let read = |reader: Option<thread::JoinHandle<Vec<u8>>>| {
        reader
            .and_then(|reader| reader.join().ok())
            .unwrap_or_default()
    };
    let (stdout, stderr) = (read(stdout), read(stderr));
    match status {
        Some(status) => Ok(Output {
            status,
            stdout,
            stderr,
        }),
        None => bail!(
            "{command:?} has not ended after {limit:?}:\n{}{}",
            String::from_utf8_lossy(&stdout),
            String::from_utf8_lossy(&stderr)
        ),
    }
}

/// What a command is called in errors: not the shell that ties it, nor what changes the user for it.
fn name_of(command: &Command) -> String {
    let mut program = command.get_program();
    let mut arguments = command.get_args();
    if program == "sh" {
        program = arguments.nth(4).unwrap_or(program);
    }
    if program == "setpriv" {
        program = arguments
            .find(|argument| argument.as_encoded_bytes().starts_with(b"/"))
            .unwrap_or(program);
    }
    let name = Path::new(program).file_name().unwrap_or(program);
    name.to_string_lossy().into_owned()
}

fn read_all(mut from: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is what there is to tell.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

/// A command in the background, killed when this is dropped.
pub struct Background {
    child: Child,
    name: String,
    said: Arc<Mutex<Vec<String>>>,
    /// What reads its outputs, to their ends.
    readers: Vec<thread::JoinHandle<()>>,
}

impl Background {
    /// Starts a command.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(command: &mut Command) -> Result<Self> {
        Self::spawn(command, Stdio::null())
    }

    fn spawn(command: &mut Command, stdin: Stdio) -> Result<Self> {
        let name = name_of(command);
        let mut child = command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| name.clone())?;
        let said = Arc::new(Mutex::new(Vec::new()));
        let mut readers = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            readers.push(keep_lines(stdout, Arc::clone(&said)));
        }
        if let Some(stderr) = child.stderr.take() {
            readers.push(keep_lines(stderr, Arc::clone(&said)));
        }
        Ok(Self {
            child,
            name,
            said,
            readers,
        })
    }

    /// Starts a command that ends with this process, however that ends: it lives as long as a pipe from here does, and
    /// then gets `signal`.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start_tied(command: &Command, signal: &str) -> Result<Self> {
        let mut tied = Command::new("sh");
        // `cat` ends when nobody holds the other end any more. The inputs are parted first: a command in the background
        // would get none. Ctrl-C reaches all of them, and must end `cat` but not the shell, which has yet to end the
        // command: that does not hear Ctrl-C, being in the background. The outputs are the command's alone, so that their
        // ends tell of its end.
        let script = r#"trap : INT TERM HUP; signal=$1; shift; "$@" & child=$!; exec > /dev/null 2>&1; cat; kill -$signal $child; wait $child"#;
        tied.args(["-c", script, "sh", signal]);
        tied.arg(command.get_program()).args(command.get_args());
        if let Some(folder) = command.get_current_dir() {
            tied.current_dir(folder);
        }
        Self::spawn(&mut tied, Stdio::piped())
    }

    /// Waits until `condition` holds, which is that the command `what`.
    ///
    /// # Errors
    ///
    /// When it ends before, or the condition does not hold in `limit`: with what it said.
    pub fn wait_for_condition(
        &mut self,
        what: &str,
        limit: Duration,
        condition: impl Fn() -> Result<bool>,
    ) -> Result<()> {
        let began = Instant::now();
        loop {
            // First of all it must be there itself: someone else may answer in its place.
            let ended = self.has_ended()?;
            if !ended && condition()? {
                return Ok(());
            }
            if ended || began.elapsed() > limit {
                let said = self.said().join("\n");
                bail!("{}: nothing {what}; it said\n{said}", self.name);
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the command has said a line that begins so.
    ///
    /// # Errors
    ///
    /// When it ends before, or does not say it in `limit`: with what it said instead.
    pub fn wait_for(&mut self, line: &str, limit: Duration) -> Result<()> {
        let began = Instant::now();
        loop {
            let said = self.said();
            if said.iter().any(|said| said.starts_with(line)) {
                return Ok(());
            }
            if self.has_ended()? || began.elapsed() > limit {
                bail!(
                    "{} has not said {line:?}, but\n{}",
                    self.name,
                    said.join("\n")
                );
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether it has ended: its shell, where it is tied, has not, but nobody holds its outputs any more.
    fn has_ended(&mut self) -> Result<bool> {
        let silent = self.readers.iter().all(thread::JoinHandle::is_finished);
        Ok(silent || self.child.try_wait()?.is_some())
    }

    /// Its lines so far, of both outputs.
    pub fn said(&self) -> Vec<String> {
        self.said
            .lock()
            .map(|said| said.clone())
            .unwrap_or_default()
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it at once, as `kill -9` does; where it is tied, its shell.
    ///
    /// # Errors
    ///
    /// When it cannot be.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        match self.child.stdin.take() {
            // Tied: closing the pipe ends it.
            Some(pipe) => {
                drop(pipe);
                let _ = self.child.wait();
            }
            None => drop(self.kill()),
        }
    }
}

fn keep_lines(
    from: impl Read + Send + 'static,
    said: Arc<Mutex<Vec<String>>>,
) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if let Ok(mut said) = said.lock() {
                said.push(line);
            }
        }
    })
}

/// A folder that is gone when this is dropped, when this process is interrupted (which drops nothing), and, where it
/// was killed, when the next process makes one of its kind.
pub struct Scratch(PathBuf);

/// What is to be removed when somebody presses Ctrl-C.
static LEFT_BEHIND: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl Scratch {
    /// Makes one, `pumpfun-KIND-PROCESS-NUMBER` in the system's folder for such.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn new(kind: &str) -> Result<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let (temporary, prefix) = (std::env::temp_dir(), format!("pumpfun-{kind}-"));
        remove_of_the_dead(&temporary, &prefix);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = temporary.join(format!("{prefix}{}-{number}", std::process::id()));
        std::fs::create_dir(&path).with_context(|| path.display().to_string())?;
        if let Ok(mut folders) = LEFT_BEHIND.lock() {
            folders.push(path.clone());
        }
        Ok(Self(path))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Removes scratch folders whose processes are no more; where that cannot be told, none.
fn remove_of_the_dead(temporary: &Path, prefix: &str) {
    let Ok(entries) = std::fs::read_dir(temporary) else {
        return;
    };
    let processes = Path::new("/proc");
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_str().and_then(|name| name.strip_prefix(prefix));
        let process = name.and_then(|name| name.split('-').next());
        if let Some(process) = process.and_then(|process| process.parse::<u32>().ok())
            && processes.join("self").exists()
            && !processes.join(process.to_string()).exists()
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Set once somebody has pressed Ctrl-C: what fails from then on fails by that.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Does not return if this process was interrupted, which is about to end it. Whoever has an error calls this before
/// telling of it: servers get Ctrl-C too, and may be seen to end first.
pub fn give_way_to_interrupt() {
    thread::sleep(Duration::from_millis(100));
    while INTERRUPTED.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Catches Ctrl-C and SIGTERM: removes the folders above and ends. Whatever is tied to this process ends with it.
///
/// # Errors
///
/// When signals cannot be caught.
pub fn catch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        // Servers first end, and write no more.
        thread::sleep(Duration::from_millis(500));
        if let Ok(folders) = LEFT_BEHIND.lock() {
            for folder in folders.iter() {
                let _ = std::fs::remove_dir_all(folder);
            }
        }
        std::process::exit(130);
    })?;
    Ok(())
}

/// Makes sure that nothing listens on a port of 127.0.0.1.
///
/// # Errors
///
/// When it is taken: with what to do.
pub fn ensure_free(port: u16, server: &str, option: &str) -> Result<()> {
    TcpListener::bind(("127.0.0.1", port))
        .with_context(|| format!("port {port}, for {server}: choose another with {option}"))?;
    Ok(())
}

/// A port of 127.0.0.1 that nothing listens on.
///
/// # Errors
///
/// When there is none.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
