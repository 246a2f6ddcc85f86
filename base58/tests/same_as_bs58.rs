//! Every function against the crate `bs58`, byte by byte and refusal by refusal.

#![cfg(feature = "alloc")]

mod common;

use base58::DecodeError;

/// Inputs for each length; miri, which is a thousand times slower, gets a few.
const COUNT: usize = if cfg!(miri) { 3 } else { 2000 };

fn check(input: &[u8]) {
    let want = bs58::encode(input).into_string();
    assert_eq!(base58::encode(input), want);
    let mut appended = String::from("key=");
    base58::encode_to_string(input, &mut appended);
    assert_eq!(appended.strip_prefix("key="), Some(&*want));
    let mut exact = vec![0; want.len()];
    assert_eq!(
        base58::encode_into(input, &mut exact),
        Ok(want.len()),
        "{input:?}"
    );
    assert_eq!(exact, want.as_bytes());
    if let Some(less) = want.len().checked_sub(1) {
        assert_eq!(
            base58::encode_into(input, &mut exact[..less]),
            Err(base58::BufferTooSmall)
        );
    }
    assert!(want.len() <= base58::max_encoded_len(input.len()));
    check_decode(want.as_bytes());

    assert_eq!(base58::decode(&want).as_deref(), Ok(input));
    let mut exact = vec![0; input.len()];
    assert_eq!(base58::decode_into(&want, &mut exact), Ok(input.len()));
    assert_eq!(exact, input);
    if let Some(less) = input.len().checked_sub(1) {
        let error = base58::decode_into(&want, &mut exact[..less]);
        assert_eq!(error, Err(DecodeError::TooLong { capacity: less }));
    }
    if let Ok(input) = <&[u8; 32]>::try_from(input) {
        let mut out = [0; 44];
        let len = base58::encode_32(input, &mut out);
        assert_eq!(&out[..len], want.as_bytes());
        assert_eq!(base58::decode_32(&want), Ok(*input));
    }
    if let Ok(input) = <&[u8; 64]>::try_from(input) {
        let mut out = [0; 88];
        let len = base58::encode_64(input, &mut out);
        assert_eq!(&out[..len], want.as_bytes());
        assert_eq!(base58::decode_64(&want), Ok(*input));
    }
}

/// The same result and the same refusal for any text, right or wrong.
fn check_decode(text: &[u8]) {
    let want = bs58::decode(text).into_vec();
    match (base58::decode(text), &want) {
        (Ok(got), Ok(want)) => assert_eq!(&got, want),
        (
            Err(DecodeError::InvalidByte { position, byte }),
            Err(bs58::decode::Error::InvalidCharacter { index, .. })
            | Err(bs58::decode::Error::NonAsciiCharacter { index }),
        ) => assert_eq!((position, byte), (*index, text[*index])),
        other => panic!("{other:?} for {text:?}"),
    }
    check_fixed(text, base58::decode_32(text), &want);
    check_fixed(text, base58::decode_64(text), &want);
}

fn check_fixed<const N: usize>(
    text: &[u8],
    got: Result<[u8; N], DecodeError>,
    want: &bs58::decode::Result<Vec<u8>>,
) {
    let mut onto = [0; N];
    let onto_result = bs58::decode(text).onto(&mut onto);
    match got {
        Ok(value) => {
            assert_eq!(onto_result, Ok(N));
            assert_eq!(value, onto);
        }
        Err(DecodeError::InvalidByte { position, byte }) => {
            assert!(onto_result.is_err() && want.is_err());
            assert_eq!(byte, text[position]);
        }
        Err(DecodeError::TooShort { expected }) => {
            assert_eq!(expected, N);
            assert!(want.as_ref().is_ok_and(|want| want.len() < N));
        }
        Err(DecodeError::TooLong { capacity }) => {
            assert_eq!(capacity, N);
            assert!(want.as_ref().is_ok_and(|want| want.len() > N) && onto_result.is_err());
        }
    }
}

#[test]
fn every_length_to_100() {
    for len in 0..=100 {
        if cfg!(miri) && !matches!(len, 0 | 31 | 33 | 65) {
            continue;
        }
        for input in common::inputs(len, COUNT) {
            check(&input);
        }
    }
}

#[test]
fn fixed_lengths() {
    for len in [32, 64] {
        for input in common::inputs(len, COUNT) {
            check(&input);
        }
    }
}

#[test]
fn long_lengths() {
    let cases: &[(usize, usize)] = if cfg!(miri) {
        &[(600, 2)]
    } else {
        &[
            (128, 2000),
            (200, 2000),
            (511, 2000),
            (1024, 2000),
            // bs58 takes a quarter of a second for each of these.
            (4099, 8),
            (10_240, 3),
        ]
    };
    for &(len, count) in cases {
        for input in common::inputs(len, count) {
            check(&input);
        }
    }
}

#[test]
fn texts_of_digits() {
    let mut random = common::Random(11);
    let longest = if cfg!(miri) { 2 } else { 120 };
    for len in (0..=longest).chain([32, 44, 64, 88, 89]) {
        for round in 0..if cfg!(miri) { 2 } else { 200 } {
            let ones = if round % 2 == 0 {
                0
            } else {
                random.below(len + 1)
            };
            let text: Vec<u8> = (0..len)
                .map(|i| match (i < ones, round % 5) {
                    (true, _) => b'1',
                    (_, 4) => b'z',
                    _ => base58::ALPHABET[random.below(58)],
                })
                .collect();
            check_decode(&text);
        }
    }
}

#[test]
fn any_wrong_byte_anywhere() {
    for len in [1, 31, 32, 43, 44, 45, 64, 70, 80, 87, 88, 100, 300] {
        for position in 0..len {
            if cfg!(miri) && (position != len / 2 || len > 100) {
                continue;
            }
            for byte in 0..=255u8 {
                if cfg!(miri) && !matches!(byte, b'I' | 200) {
                    continue;
                }
                let mut text = vec![b'2'; len];
                text[position] = byte;
                check_decode(&text);
            }
        }
    }
}

#[test]
fn limits_of_the_fixed_lengths() {
    // 2^256 - 1, then 2^256; 2^512 - 1, then 2^512.
    for len in [32, 64] {
        let max = bs58::encode(vec![0xff; len]).into_string();
        check_decode(max.as_bytes());
        let mut over = vec![0; len + 1];
        over[0] = 1;
        check_decode(bs58::encode(over).into_string().as_bytes());
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn long_round_trips() {
    for len in [100_000, 1 << 20] {
        let mut input = common::Random(len as u64).bytes(len);
        input[..3].fill(0);
        let text = base58::encode(&input);
        assert_eq!(base58::decode(&text).as_deref(), Ok(&*input));
    }
}
