//! The oracle: base conversion byte by byte, as slow and simple as it gets; and inputs for it.

#![allow(dead_code)]

use std::{string::String, vec, vec::Vec};

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

pub fn encode(input: &[u8]) -> String {
    let mut digits: Vec<u32> = Vec::new();
    for &byte in input {
        let mut carry = u32::from(byte);
        for digit in &mut digits {
            carry += *digit * 256;
            *digit = carry % 58;
            carry /= 58;
        }
        while carry != 0 {
            digits.push(carry % 58);
            carry /= 58;
        }
    }
    let zeros = input.iter().take_while(|&&byte| byte == 0).map(|_| 0);
    zeros
        .chain(digits.into_iter().rev())
        .map(|digit| char::from(ALPHABET[digit as usize]))
        .collect()
}

/// The bytes, or the position of the first wrong character.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let mut bytes: Vec<u8> = Vec::new();
    for (position, c) in text.iter().enumerate() {
        let mut carry = ALPHABET.iter().position(|a| a == c).ok_or(position)? as u32;
        for byte in &mut bytes {
            carry += u32::from(*byte) * 58;
            *byte = carry as u8;
            carry >>= 8;
        }
        while carry != 0 {
            bytes.push(carry as u8);
            carry >>= 8;
        }
    }
    bytes.extend(text.iter().take_while(|&&c| c == b'1').map(|_| 0));
    bytes.reverse();
    Ok(bytes)
}

/// A small generator (xorshift64*), so that every run tests the same inputs.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 56) as u8).collect()
    }
}

/// Inputs of one length: random, every count of leading zeros, all zeros, all 0xff, single bits at
/// the borders of limbs (and one less), powers of 58 (and one less and one more), runs of 0 and ff.
pub fn inputs(len: usize, count: usize) -> Vec<Vec<u8>> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (len as u64 + 1));
    let mut all = vec![vec![0; len], vec![0xff; len]];
    for zeros in 0..len.min(count / 8) {
        let mut input = random.bytes(len);
        input[..zeros].fill(0);
        all.push(input.clone());
        input[zeros..].fill(0xff);
        all.push(input.clone());
        input[zeros..].fill(0);
        input[len - 1 - zeros] = 1;
        all.push(input);
    }
    let mut power = vec![0u8; len];
    if let Some(last) = power.last_mut() {
        *last = 1;
        for _ in 0..(len * 2).min(count / 8) {
            all.push(power.clone());
            let mut less = power.clone();
            for byte in less.iter_mut().rev() {
                *byte = byte.wrapping_sub(1);
                if *byte != 0xff {
                    break;
                }
            }
            all.push(less);
            let mut carry = 0;
            for byte in power.iter_mut().rev() {
                carry += u32::from(*byte) * 58;
                *byte = carry as u8;
                carry >>= 8;
            }
            if carry != 0 {
                break;
            }
        }
    }
    while all.len() < count {
        let mut input = random.bytes(len);
        match all.len() % 4 {
            0 if len > 0 => {
                let (a, b) = (random.below(len), random.below(len));
                input[a.min(b)..a.max(b)].fill(0xff);
            }
            1 if len > 0 => {
                let (a, b) = (random.below(len), random.below(len));
                input[a.min(b)..a.max(b)].fill(0);
            }
            _ => {}
        }
        all.push(input);
    }
    all
}
