//! Messages on standard error: as lines for people, or as JSON objects for machines.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

/// How messages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines of text.
    #[default]
    Text,
    /// A JSON object a line: time (Unix seconds), level, message, and figures where there are some.
    Json,
}

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Nothing is wrong.
    Info,
    /// Something could not be done.
    Error,
}

static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Sets the format for all messages of this process; the first call counts.
pub fn set_format(format: LogFormat) {
    let _ = FORMAT.set(format);
}

/// The format of this process.
pub fn format() -> LogFormat {
    FORMAT.get().copied().unwrap_or_default()
}

/// A message as it is written.
pub fn line(level: Level, message: &str) -> String {
    with_figures(level, message, Map::new())
}

/// A message with figures, which only JSON shows one by one: the text has to tell them itself.
pub fn with_figures(level: Level, message: &str, figures: Map<String, Value>) -> String {
    match format() {
        LogFormat::Text => match level {
            Level::Info => message.to_owned(),
            Level::Error => format!("error: {message}"),
        },
        LogFormat::Json => {
            let time = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            let mut object = Map::new();
            object.insert("time".to_owned(), json!(time.as_secs()));
            let level = match level {
                Level::Info => "info",
                Level::Error => "error",
            };
            object.insert("level".to_owned(), json!(level));
            object.insert("message".to_owned(), json!(message));
            object.extend(figures);
            Value::Object(object).to_string()
        }
    }
}
