//! `encode_into` and `decode_into` against the naive conversion in `common`; also without `alloc`.

mod common;

#[test]
fn same_as_the_oracle() {
    let lens: &[usize] = if cfg!(miri) {
        &[0, 5, 40, 70]
    } else {
        &[0, 1, 5, 31, 32, 33, 40, 63, 64, 65, 70, 100, 333]
    };
    for &len in lens {
        for input in common::inputs(len, if cfg!(miri) { 2 } else { 400 }) {
            let text = common::encode(&input);
            let mut out = vec![0; base58::max_encoded_len(len)];
            assert_eq!(base58::encode_into(&input, &mut out), Ok(text.len()));
            assert_eq!(&out[..text.len()], text.as_bytes());
            let mut out = vec![0; text.len()];
            assert_eq!(base58::encode_into(&input, &mut out), Ok(text.len()));
            assert_eq!(out, text.as_bytes());
            if let Some(less) = text.len().checked_sub(1) {
                assert_eq!(
                    base58::encode_into(&input, &mut out[..less]),
                    Err(base58::BufferTooSmall)
                );
            }
            let mut out = vec![0; len];
            assert_eq!(base58::decode_into(&text, &mut out), Ok(len));
            assert_eq!(out, input);
            if let Some(less) = len.checked_sub(1) {
                assert!(base58::decode_into(&text, &mut out[..less]).is_err());
            }
        }
    }
}

/// Neither less than the longest text, nor more than it is said to be: 11/8 of the bytes, rounded up.
#[test]
fn the_bound_of_a_text_is_tight() {
    for len in 0..4096 {
        assert_eq!(base58::max_encoded_len(len), (len * 11).div_ceil(8));
    }
    for len in [1, 32, 64] {
        let longest = common::encode(&vec![0xff; len]);
        assert_eq!(base58::max_encoded_len(len), longest.len());
    }
    assert_eq!(base58::max_encoded_len(usize::MAX), usize::MAX);
}

#[test]
fn first_wrong_byte_is_named() {
    for len in [1, 40, 80, 90, 200] {
        let mut text = vec![b'2'; len];
        text[len / 2] = b'l';
        text[len - 1] = 0xc3;
        let (position, byte) = if len == 1 { (0, 0xc3) } else { (len / 2, b'l') };
        let error = base58::DecodeError::InvalidByte { position, byte };
        assert_eq!(base58::decode_into(&text, &mut [0; 200]), Err(error));
        assert_eq!(base58::decode_into(&text, &mut []), Err(error));
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let told = |text: &[u8], len: usize| {
        base58::decode_into(text, &mut vec![0; len])
            .unwrap_err()
            .to_string()
    };
    assert_eq!(told(b"2l", 9), "byte 0x6c at position 1 is not Base58");
    assert_eq!(
        told(b"1111", 3),
        "the Base58 text stands for more than 3 bytes"
    );
    assert_eq!(
        base58::decode_32(b"22222").unwrap_err().to_string(),
        "the Base58 text stands for fewer than 32 bytes"
    );
    let error = base58::encode_into(&[1; 40], &mut [0; 40]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the buffer is too small for the Base58 text"
    );
}
