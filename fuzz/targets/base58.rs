//! Any bytes, taken for base58 text and for what is to become such text: `bs58` says what is right.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let decoded = bs58::decode(input).into_vec();
    match (base58::decode(input), &decoded) {
        (Ok(bytes), Ok(expected)) => {
            assert_eq!(bytes, *expected);
            assert_eq!(base58::encode(&bytes).as_bytes(), input);
        }
        (Err(_), Err(_)) => {}
        (found, expected) => panic!("{found:?} {expected:?}"),
    }
    fixed(base58::decode_32(input).ok(), decoded.as_ref().ok());
    fixed(base58::decode_64(input).ok(), decoded.as_ref().ok());
    // A buffer of any size is filled or refused.
    for size in [0, input.len() / 2, input.len()] {
        let mut buffer = vec![0; size];
        if let Ok(length) = base58::decode_into(input, &mut buffer) {
            assert_eq!(Some(&buffer[..length]), decoded.as_deref().ok());
        }
        if let Ok(length) = base58::encode_into(input, &mut buffer) {
            assert_eq!(buffer[..length], *bs58::encode(input).into_vec());
        }
    }
    let text = base58::encode(input);
    assert_eq!(text, bs58::encode(input).into_string());
    assert_eq!(base58::decode(&text).as_deref(), Ok(input));
    // And by the kernels of fixed lengths.
    if let Some(key) = input.first_chunk::<32>() {
        let text = base58::encode(key);
        assert_eq!(text, bs58::encode(key).into_string());
        assert_eq!(base58::decode_32(&text), Ok(*key));
    }
    if let Some(signature) = input.first_chunk::<64>() {
        let text = base58::encode(signature);
        assert_eq!(text, bs58::encode(signature).into_string());
        assert_eq!(base58::decode_64(&text), Ok(*signature));
    }
});

/// A kernel of a fixed length reads exactly the texts of that many bytes.
fn fixed<const N: usize>(found: Option<[u8; N]>, expected: Option<&Vec<u8>>) {
    let expected = expected.filter(|bytes| bytes.len() == N);
    assert_eq!(
        found.as_ref().map(<[u8; N]>::as_slice),
        expected.map(Vec::as_slice)
    );
}
