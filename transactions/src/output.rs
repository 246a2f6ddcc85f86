//! How modules hand over what they give.

use buffa::MessageFieldView;
use buffa_types::google::protobuf::__buffa::view::TimestampView;
use buffa_types::google::protobuf::Empty;

/// Hands a module's output over as the bytes that it is; no bytes are no output.
///
/// The handler macro is left nothing to encode. It takes `Empty` for the output's type, which is the manifest's
/// matter, so that no code for encoding the real one is linked.
///
/// # Errors
///
/// None: the type is what handlers return.
pub fn hand_over<E>(output: Vec<u8>) -> Result<Option<Empty>, E> {
    if !output.is_empty() {
        substreams::output_raw(output);
    }
    Ok(None)
}

/// A block's time, Unix seconds, as messages have it.
pub fn timestamp(seconds: Option<i64>) -> MessageFieldView<TimestampView<'static>> {
    match seconds {
        Some(seconds) => MessageFieldView::set(TimestampView {
            seconds,
            ..Default::default()
        }),
        None => MessageFieldView::unset(),
    }
}
