//! Base58 characters to numbers: sixteen characters to four groups of four digits.
//!
//! The digit of a character is its code minus the codes before it that are in no group, so it
//! needs no table: take `'1'` off, and one step more for each of the five gaps in front of it
//! (seven characters between `9` and `A`, `I`, `O`, six between `Z` and `a`, `l`). A character
//! inside a gap, before `'1'` or after `'z'` is refused. All compares are signed, so bytes above
//! 127 count as being before `'1'`. Then neighbours are joined twice: digits to pairs below 58²,
//! pairs to groups below 58⁴.
//!
//! On x86-64 (SSE2) and in WebAssembly with simd128, sixteen characters go at once; other targets
//! look the digits up.

pub(crate) use imp::Groups;

/// Whether all characters are valid, and the groups of each sixteen of them if so.
#[inline(always)]
pub(crate) fn parse<const N: usize>(text: [[u8; 16]; N]) -> Option<[Groups; N]> {
    let mut bad = imp::Bad::none();
    let mut groups = [Groups::zero(); N];
    for (groups, chars) in groups.iter_mut().zip(text) {
        *groups = imp::parse(chars, &mut bad);
    }
    if bad.any() { None } else { Some(groups) }
}

#[cfg(target_arch = "x86_64")]
mod imp {
    use core::arch::x86_64::*;

    #[derive(Clone, Copy)]
    pub(crate) struct Groups(__m128i);
    pub(super) struct Bad(__m128i);

    impl Bad {
        #[inline(always)]
        pub(super) fn none() -> Self {
            // SAFETY: SSE2 is part of every x86-64; no memory is touched.
            Self(unsafe { _mm_setzero_si128() })
        }

        #[inline(always)]
        pub(super) fn any(&self) -> bool {
            // SAFETY: SSE2 is part of every x86-64; no memory is touched.
            unsafe { _mm_movemask_epi8(self.0) != 0 }
        }
    }

    #[inline(always)]
    pub(super) fn parse(text: [u8; 16], bad: &mut Bad) -> Groups {
        // SAFETY: both are 16 bytes of plain integers; SSE2 is part of every x86-64 and no other
        // memory is touched.
        unsafe {
            let c: __m128i = core::mem::transmute(text);
            let all = |value: u8| _mm_set1_epi8(value as i8);
            let after = |value: u8| _mm_cmpgt_epi8(c, all(value));
            let is = |value: u8| _mm_cmpeq_epi8(c, all(value));
            let (at_a, at_j, at_p) = (after(b'A' - 1), after(b'I'), after(b'O'));
            let (at_la, at_lm) = (after(b'a' - 1), after(b'l'));
            let mut wrong = _mm_or_si128(_mm_cmpgt_epi8(all(b'1'), c), after(b'z'));
            wrong = _mm_or_si128(wrong, _mm_or_si128(is(b'I'), is(b'O')));
            wrong = _mm_or_si128(wrong, is(b'l'));
            wrong = _mm_or_si128(wrong, _mm_andnot_si128(at_a, after(b'9')));
            wrong = _mm_or_si128(wrong, _mm_andnot_si128(at_la, after(b'Z')));
            bad.0 = _mm_or_si128(bad.0, wrong);

            // A mask is -1 where it holds.
            let mut digit = _mm_sub_epi8(c, all(b'1'));
            digit = _mm_sub_epi8(digit, _mm_and_si128(at_a, all(7)));
            digit = _mm_add_epi8(digit, _mm_add_epi8(at_j, at_p));
            digit = _mm_sub_epi8(digit, _mm_and_si128(at_la, all(6)));
            digit = _mm_add_epi8(digit, at_lm);

            let high = _mm_and_si128(digit, _mm_set1_epi16(0xff));
            let low = _mm_srli_epi16::<8>(digit);
            let pairs = _mm_add_epi16(_mm_mullo_epi16(high, _mm_set1_epi16(58)), low);
            Groups(_mm_madd_epi16(pairs, _mm_set1_epi32((1 << 16) | 3364)))
        }
    }

    impl Groups {
        #[inline(always)]
        pub(super) fn zero() -> Self {
            // SAFETY: SSE2 is part of every x86-64; no memory is touched.
            Self(unsafe { _mm_setzero_si128() })
        }

        /// Groups of eight digits, higher first.
        #[inline(always)]
        #[cfg_attr(base58_narrow, allow(dead_code))]
        pub(crate) fn eights(self) -> [u64; 2] {
            // SAFETY: SSE2 is part of every x86-64, no memory is touched, and a vector is 16 bytes
            // of plain integers as the array is.
            unsafe {
                let high = _mm_mul_epu32(self.0, _mm_set1_epi64x(58 * 58 * 58 * 58));
                core::mem::transmute(_mm_add_epi64(high, _mm_srli_epi64::<32>(self.0)))
            }
        }

        /// Groups of four digits, highest first.
        #[inline(always)]
        #[cfg_attr(not(base58_narrow), allow(dead_code))]
        pub(crate) fn fours(self) -> [u32; 4] {
            // SAFETY: both are 16 bytes of plain integers.
            unsafe { core::mem::transmute(self.0) }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod imp {
    use core::arch::wasm32::*;

    #[derive(Clone, Copy)]
    pub(crate) struct Groups(v128);
    pub(super) struct Bad(v128);

    impl Bad {
        #[inline(always)]
        pub(super) fn none() -> Self {
            Self(u64x2(0, 0))
        }

        #[inline(always)]
        pub(super) fn any(&self) -> bool {
            v128_any_true(self.0)
        }
    }

    #[inline(always)]
    pub(super) fn parse(text: [u8; 16], bad: &mut Bad) -> Groups {
        let text = u128::from_le_bytes(text);
        let c = u64x2(text as u64, (text >> 64) as u64);
        let after = |value: u8| i8x16_gt(c, u8x16_splat(value));
        let is = |value: u8| i8x16_eq(c, u8x16_splat(value));
        let (at_a, at_j, at_p) = (after(b'A' - 1), after(b'I'), after(b'O'));
        let (at_la, at_lm) = (after(b'a' - 1), after(b'l'));
        let mut wrong = v128_or(i8x16_gt(u8x16_splat(b'1'), c), after(b'z'));
        wrong = v128_or(wrong, v128_or(is(b'I'), is(b'O')));
        wrong = v128_or(wrong, is(b'l'));
        wrong = v128_or(wrong, v128_andnot(after(b'9'), at_a));
        wrong = v128_or(wrong, v128_andnot(after(b'Z'), at_la));
        bad.0 = v128_or(bad.0, wrong);

        // A mask is -1 where it holds.
        let mut digit = u8x16_sub(c, u8x16_splat(b'1'));
        digit = u8x16_sub(digit, v128_and(at_a, u8x16_splat(7)));
        digit = u8x16_add(digit, u8x16_add(at_j, at_p));
        digit = u8x16_sub(digit, v128_and(at_la, u8x16_splat(6)));
        digit = u8x16_add(digit, at_lm);

        let high = v128_and(digit, u16x8_splat(0xff));
        let low = u16x8_shr(digit, 8);
        let pairs = u16x8_add(u16x8_mul(high, u16x8_splat(58)), low);
        Groups(i32x4_dot_i16x8(pairs, u32x4_splat((1 << 16) | 3364)))
    }

    impl Groups {
        #[inline(always)]
        pub(super) fn zero() -> Self {
            Self(u64x2(0, 0))
        }

        /// Groups of four digits, highest first.
        #[inline(always)]
        pub(crate) fn fours(self) -> [u32; 4] {
            [
                u32x4_extract_lane::<0>(self.0),
                u32x4_extract_lane::<1>(self.0),
                u32x4_extract_lane::<2>(self.0),
                u32x4_extract_lane::<3>(self.0),
            ]
        }
    }
}

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
mod imp {
    use crate::alphabet::{DIGITS, NO_DIGIT};

    #[derive(Clone, Copy)]
    pub(crate) struct Groups([u32; 4]);
    pub(super) struct Bad(bool);

    impl Bad {
        #[inline(always)]
        pub(super) fn none() -> Self {
            Self(false)
        }

        #[inline(always)]
        pub(super) fn any(&self) -> bool {
            self.0
        }
    }

    #[inline(always)]
    pub(super) fn parse(text: [u8; 16], bad: &mut Bad) -> Groups {
        let mut groups = [0u32; 4];
        for (group, chars) in groups.iter_mut().zip(text.as_chunks::<4>().0) {
            for &c in chars {
                let digit = DIGITS[usize::from(c)];
                bad.0 |= digit == NO_DIGIT;
                *group = *group * 58 + u32::from(digit);
            }
        }
        Groups(groups)
    }

    impl Groups {
        #[inline(always)]
        pub(super) fn zero() -> Self {
            Self([0; 4])
        }

        /// Groups of eight digits, higher first.
        #[inline(always)]
        #[cfg_attr(target_pointer_width = "32", allow(dead_code))]
        pub(crate) fn eights(self) -> [u64; 2] {
            let [a, b, c, d] = self.0.map(u64::from);
            [a * 58 * 58 * 58 * 58 + b, c * 58 * 58 * 58 * 58 + d]
        }

        /// Groups of four digits, highest first.
        #[inline(always)]
        #[cfg_attr(target_pointer_width = "64", allow(dead_code))]
        pub(crate) fn fours(self) -> [u32; 4] {
            self.0
        }
    }
}
