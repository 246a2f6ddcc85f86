//! Asking an endpoint for blocks, again where it is worth it.

use std::fmt;
use std::io::Read;
use std::thread;
use std::time::Duration;

use anyhow::{Error, Result, anyhow, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use ureq::Agent;

use super::answer::{Answer, parse};

/// Bytes of an answer that are read at most: many times those of a large block.
const MAX_ANSWER_BYTES: u64 = 1 << 30;

/// The longest pause before another try.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The longest pause that an endpoint may ask for: whoever asks for more is not waited for in silence.
const MAX_ASKED_PAUSE: Duration = Duration::from_secs(600);

/// The encoding that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Encoding {
    /// Transactions as bytes: smaller, and exact.
    Base64,
    /// Transactions as JSON.
    Json,
}

/// The address of an endpoint, which may hold a key: only scheme and host are ever shown.
#[derive(Clone)]
pub struct Endpoint {
    url: String,
    /// `user:password` of the address, sent as basic authorization.
    credentials: Option<String>,
    shown: String,
    /// What must not be shown: parts of path and query, and the credentials.
    secrets: Vec<String>,
}

/// Characters of a part of an address that may be a key.
const SECRET_LENGTH: usize = 5;

impl Endpoint {
    /// Reads an address.
    ///
    /// # Errors
    ///
    /// When it is no http or https URL; the text is not repeated, as it may hold a key.
    pub fn new(url: &str) -> Result<Self> {
        let parts = url.split_once("://");
        let (scheme, rest) = parts
            .filter(|(scheme, _)| ["http", "https"].contains(scheme))
            .ok_or_else(|| {
                anyhow!("the RPC address is no URL that begins with http:// or https://")
            })?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (credentials, host) = match authority.rsplit_once('@') {
            Some((credentials, host)) => (Some(credentials.to_owned()), host),
            None => (None, authority),
        };
        ensure!(!host.is_empty(), "the RPC address has no host");
        Ok(Self {
            url: format!("{scheme}://{host}{path}"),
            secrets: authority
                .rsplit_once('@')
                .map(|(credentials, _)| credentials)
                .into_iter()
                .chain([path])
                .flat_map(|part| part.split(['/', '?', '&', '=', '#', ':']))
                .filter(|part| part.len() >= SECRET_LENGTH)
                .map(str::to_owned)
                .collect(),
            credentials,
            shown: format!("{scheme}://{host}"),
        })
    }
}

impl Endpoint {
    /// A text without what an endpoint, or a proxy before it, may repeat of the address.
    fn scrub(&self, text: &str) -> String {
        // Cut behind that: half a key is none that would be found.
        self.secrets
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret, "…"))
            .chars()
            .take(500)
            .collect()
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What was got for a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// Its block, encoded.
    Block(Vec<u8>),
    /// There is none: the slot was skipped.
    Skipped,
}

/// A client of one endpoint; may be shared by threads.
pub struct Client {
    endpoint: Endpoint,
    agent: Agent,
    encoding: Encoding,
    retries: u32,
    pause: Duration,
}

/// Why a try failed.
struct Failure {
    error: Error,
    /// Whether another try may do better; and what the endpoint asked to be waited.
    again: Option<Option<Duration>>,
}

impl Client {
    /// A client that waits `timeout` for an answer, and tries `retries` times more, first after `pause` and then after
    /// twice as long each time.
    pub fn new(
        endpoint: Endpoint,
        encoding: Encoding,
        timeout: Duration,
        retries: u32,
        pause: Duration,
    ) -> Self {
        let agent = Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            // A key must not follow to another host.
            .max_redirects(0)
            .user_agent(concat!("pumpfun/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        Self {
            endpoint,
            agent,
            encoding,
            retries,
            pause,
        }
    }

    /// The block of a slot.
    ///
    /// # Errors
    ///
    /// When the endpoint refuses, answers something else, or fails in every try; without its address.
    pub fn fetch(&self, slot: u64) -> Result<Fetched> {
        let mut tried = 0;
        loop {
            let failure = match self.try_once(slot) {
                Ok(fetched) => return Ok(fetched),
                Err(failure) => failure,
            };
            let in_slot = |error: Error| {
                let told = self.endpoint.scrub(&format!("{error:#}"));
                anyhow!("slot {slot}: {}: {told}", self.endpoint)
            };
            let Some(asked) = failure.again else {
                return Err(in_slot(failure.error));
            };
            if tried == self.retries {
                return Err(in_slot(
                    failure.error.context(format!("{} tries", tried + 1)),
                ));
            }
            let doubled = self.pause.saturating_mul(1 << tried.min(16));
            // Half of it by chance, so that many threads do not come back at once.
            let jitter = doubled.mul_f64(0.5 + 0.5 * fraction(slot, tried));
            if let Some(asked) = asked.filter(|&asked| asked > MAX_ASKED_PAUSE) {
                return Err(in_slot(failure.error.context(format!(
                    "it asks to be left alone for {} s",
                    asked.as_secs()
                ))));
            }
            // Never at once, whatever is asked for; and what is asked for is waited.
            thread::sleep(asked.map_or(jitter.min(MAX_PAUSE), |asked| {
                asked.max(jitter.min(MAX_PAUSE))
            }));
            tried += 1;
        }
    }

    fn try_once(&self, slot: u64) -> Result<Fetched, Failure> {
        let again = |error: Error| Failure {
            error,
            again: Some(None),
        };
        let never = |error: Error| Failure { error, again: None };
        let encoding = match self.encoding {
            Encoding::Base64 => "base64",
            Encoding::Json => "json",
        };
        let question = json!({
            "jsonrpc": "2.0", "id": slot, "method": "getBlock",
            "params": [slot, {
                "encoding": encoding, "transactionDetails": "full", "rewards": true,
                "maxSupportedTransactionVersion": 0, "commitment": "finalized",
            }],
        });
        let mut request = self
            .agent
            .post(&self.endpoint.url)
            .header("content-type", "application/json");
        if let Some(credentials) = &self.endpoint.credentials {
            request = request.header(
                "authorization",
                format!("Basic {}", STANDARD.encode(credentials)),
            );
        }
        let mut response = request
            .send(question.to_string())
            .map_err(|error| again(anyhow!(cause(&error))))?;
        let status = response.status();
        if [408, 429].contains(&status.as_u16()) || status.is_server_error() {
            let wait = response.headers().get("retry-after");
            let wait = wait.and_then(|value| value.to_str().ok()?.trim().parse().ok());
            return Err(Failure {
                error: anyhow!("HTTP status {}", status.as_u16()),
                again: Some(wait.map(Duration::from_secs)),
            });
        }
        if !status.is_success() && status.as_u16() != 400 {
            return Err(never(anyhow!("HTTP status {}", status.as_u16())));
        }
        let mut body = Vec::new();
        let reader = response.body_mut().as_reader().take(MAX_ANSWER_BYTES + 1);
        // Cut off in the middle: what is there is no answer.
        { reader }
            .read_to_end(&mut body)
            .map_err(|error| again(anyhow!("the answer is cut off: {}", error.kind())))?;
        if body.len() as u64 > MAX_ANSWER_BYTES {
            return Err(never(anyhow!("an answer of more than 1 GiB")));
        }
        match parse(&body, Some(slot), Some(slot)) {
            Ok(Answer::Block(block)) => Ok(Fetched::Block(block)),
            Ok(Answer::Skipped) => Ok(Fetched::Skipped),
            Ok(Answer::Later(why)) => Err(again(anyhow!(why))),
            Ok(Answer::Refused(why)) => Err(never(anyhow!("the endpoint refuses it: {why}"))),
            // A proxy's page, half an answer, another block's: the next one may be right.
            Err(error) => Err(again(error)),
        }
    }
}

/// What went wrong, without the address, which some of the library's texts hold.
fn cause(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => "timed out".to_owned(),
        ureq::Error::Io(error) => error.kind().to_string(),
        ureq::Error::HostNotFound => "host not found".to_owned(),
        ureq::Error::ConnectionFailed => "connection failed".to_owned(),
        ureq::Error::Tls(what) => format!("TLS: {what}"),
        ureq::Error::Protocol(_) => "the answer is no HTTP".to_owned(),
        _ => "the request failed".to_owned(),
    }
}

/// A number from 0 to 1 that differs from slot to slot and from try to try.
fn fraction(slot: u64, tried: u32) -> f64 {
    // The finalizer of SplitMix64.
    let mut x = slot
        .wrapping_add(u64::from(tried) << 32)
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
