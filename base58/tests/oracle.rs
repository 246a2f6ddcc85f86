//! Every function against the naive conversion in `common`, on random inputs.

#![cfg(feature = "alloc")]

mod common;

use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 2 } else { 1000 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn encode_and_decode(input in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = common::encode(&input);
        prop_assert_eq!(base58::encode(&input), &*text);
        prop_assert_eq!(base58::decode(&text), Ok(input));
    }

    #[test]
    fn thirty_two(input in any::<[u8; 32]>()) {
        let mut out = [0; 44];
        let len = base58::encode_32(&input, &mut out);
        let text = common::encode(&input);
        prop_assert_eq!(&out[..len], text.as_bytes());
        prop_assert_eq!(base58::decode_32(&text), Ok(input));
    }

    #[test]
    fn sixty_four(low in any::<[u8; 32]>(), high in any::<[u8; 32]>()) {
        let input: [u8; 64] = std::array::from_fn(|i| if i < 32 { high[i] } else { low[i - 32] });
        let mut out = [0; 88];
        let len = base58::encode_64(&input, &mut out);
        let text = common::encode(&input);
        prop_assert_eq!(&out[..len], text.as_bytes());
        prop_assert_eq!(base58::decode_64(&text), Ok(input));
    }

    #[test]
    fn any_text(text in prop::collection::vec(any::<u8>(), 0..100)) {
        match (base58::decode(&text), common::decode(&text)) {
            (Ok(got), Ok(want)) => prop_assert_eq!(got, want),
            (Err(base58::DecodeError::InvalidByte { position, .. }), Err(want)) => {
                prop_assert_eq!(position, want);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
