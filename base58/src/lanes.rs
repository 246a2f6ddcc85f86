//! Four 64-bit sums side by side: the multiply-add both conversions spend their time on.
//!
//! A row of four 32-bit constants times one 32-bit limb is added to four 64-bit columns. Compilers
//! do not find the vector form of this by themselves (measured for encoding 64 bytes: scalar
//! multiplies take 1.5 times as long on x86-64, 2.4 times in WebAssembly), so it is written out:
//! SSE2 (part of every x86-64) and AVX2 (if the build enables it) have
//! `pmuludq`, WebAssembly's simd128 has `i64x2.extmul`. Other targets use plain integers.

pub(crate) use imp::Four;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod imp {
    use core::arch::x86_64::*;

    #[derive(Clone, Copy)]
    pub(crate) struct Four(__m256i);

    impl Four {
        #[inline(always)]
        pub(crate) fn zero() -> Self {
            // SAFETY: AVX2 is enabled for the whole build (the `cfg` above); no memory is touched.
            Self(unsafe { _mm256_setzero_si256() })
        }

        #[inline(always)]
        pub(crate) fn mul_add(self, limb: u32, row: [u32; 4]) -> Self {
            let [a, b, c, d] = row.map(i64::from);
            // SAFETY: AVX2 is enabled for the whole build (the `cfg` above); no memory is touched.
            unsafe {
                let limb = _mm256_set1_epi64x(i64::from(limb));
                let row = _mm256_set_epi64x(d, c, b, a);
                Self(_mm256_add_epi64(self.0, _mm256_mul_epu32(limb, row)))
            }
        }

        #[inline(always)]
        pub(crate) fn sums(self) -> [u64; 4] {
            // SAFETY: both are 32 bytes of plain integers, and any bits are a valid `[u64; 4]`.
            unsafe { core::mem::transmute(self.0) }
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
mod imp {
    use core::arch::x86_64::*;

    #[derive(Clone, Copy)]
    pub(crate) struct Four(__m128i, __m128i);

    impl Four {
        #[inline(always)]
        pub(crate) fn zero() -> Self {
            // SAFETY: SSE2 is part of every x86-64; no memory is touched.
            unsafe { Self(_mm_setzero_si128(), _mm_setzero_si128()) }
        }

        #[inline(always)]
        pub(crate) fn mul_add(self, limb: u32, row: [u32; 4]) -> Self {
            let [a, b, c, d] = row.map(i64::from);
            // SAFETY: SSE2 is part of every x86-64; no memory is touched.
            unsafe {
                let limb = _mm_set1_epi64x(i64::from(limb));
                Self(
                    _mm_add_epi64(self.0, _mm_mul_epu32(limb, _mm_set_epi64x(b, a))),
                    _mm_add_epi64(self.1, _mm_mul_epu32(limb, _mm_set_epi64x(d, c))),
                )
            }
        }

        #[inline(always)]
        pub(crate) fn sums(self) -> [u64; 4] {
            // SAFETY: both are 32 bytes of plain integers, and any bits are a valid `[u64; 4]`.
            unsafe { core::mem::transmute([self.0, self.1]) }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod imp {
    use core::arch::wasm32::*;

    #[derive(Clone, Copy)]
    pub(crate) struct Four(v128, v128);

    impl Four {
        #[inline(always)]
        pub(crate) fn zero() -> Self {
            Self(u64x2(0, 0), u64x2(0, 0))
        }

        #[inline(always)]
        pub(crate) fn mul_add(self, limb: u32, row: [u32; 4]) -> Self {
            let limb = u32x4_splat(limb);
            let row = u32x4(row[0], row[1], row[2], row[3]);
            Self(
                u64x2_add(self.0, u64x2_extmul_low_u32x4(limb, row)),
                u64x2_add(self.1, u64x2_extmul_high_u32x4(limb, row)),
            )
        }

        #[inline(always)]
        pub(crate) fn sums(self) -> [u64; 4] {
            [
                u64x2_extract_lane::<0>(self.0),
                u64x2_extract_lane::<1>(self.0),
                u64x2_extract_lane::<0>(self.1),
                u64x2_extract_lane::<1>(self.1),
            ]
        }
    }
}

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
mod imp {
    #[derive(Clone, Copy)]
    pub(crate) struct Four([u64; 4]);

    impl Four {
        #[inline(always)]
        pub(crate) fn zero() -> Self {
            Self([0; 4])
        }

        #[inline(always)]
        pub(crate) fn mul_add(self, limb: u32, row: [u32; 4]) -> Self {
            let mut sums = self.0;
            for (sum, factor) in sums.iter_mut().zip(row) {
                *sum += u64::from(limb) * u64::from(factor);
            }
            Self(sums)
        }

        #[inline(always)]
        pub(crate) fn sums(self) -> [u64; 4] {
            self.0
        }
    }
}
