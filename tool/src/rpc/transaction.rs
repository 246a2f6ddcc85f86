//! A transaction in Solana's wire format, as the encoding `base64` has it.
//!
//! ```text
//! signatures: compact-u16 count, 64 bytes each
//! message:    [0x80 | version], header of 3 bytes, compact array of 32-byte keys, 32-byte blockhash,
//!             compact array of instructions: program index u8, compact bytes of accounts, compact bytes of data
//!             with a version: compact array of lookups: 32-byte key, compact bytes writable, compact bytes readonly
//! ```
//!
//! A compact-u16 is seven bits a byte, low ones first, in three bytes at most.

use anyhow::{Context, Result, ensure};
use substreams_solana::pb::sf::solana::r#type::v1::{
    CompiledInstruction, Message, MessageAddressTableLookup, MessageHeader, Transaction,
};

/// Reads a transaction, which must be all of the bytes.
///
/// # Errors
///
/// When they are none, or of a version that is not known.
pub(super) fn decode(bytes: &[u8]) -> Result<Transaction> {
    let mut rest = Rest(bytes);
    let signatures = rest
        .array(|rest| Ok(rest.bytes(64)?.to_vec()))
        .context("signatures")?;
    let message = decode_message(&mut rest).context("message")?;
    ensure!(rest.0.is_empty(), "{} bytes stand behind it", rest.0.len());
    Ok(Transaction {
        signatures,
        message: message.into(),
    })
}

fn decode_message(rest: &mut Rest<'_>) -> Result<Message> {
    let first = rest.0.first().copied().context("cut")?;
    let versioned = first >= 0x80;
    if versioned {
        ensure!(first == 0x80, "version {} is not known", first & 0x7f);
        rest.u8()?;
    }
    let header = MessageHeader {
        num_required_signatures: rest.u8()?.into(),
        num_readonly_signed_accounts: rest.u8()?.into(),
        num_readonly_unsigned_accounts: rest.u8()?.into(),
    };
    let account_keys = rest.array(|rest| Ok(rest.bytes(32)?.to_vec()))?;
    let recent_blockhash = rest.bytes(32)?.to_vec();
    let instructions = rest.array(|rest| {
        Ok(CompiledInstruction {
            program_id_index: rest.u8()?.into(),
            accounts: rest.compact_bytes()?,
            data: rest.compact_bytes()?,
        })
    })?;
    let address_table_lookups = match versioned {
        false => Vec::new(),
        true => rest.array(|rest| {
            Ok(MessageAddressTableLookup {
                account_key: rest.bytes(32)?.to_vec(),
                writable_indexes: rest.compact_bytes()?,
                readonly_indexes: rest.compact_bytes()?,
            })
        })?,
    };
    Ok(Message {
        header: header.into(),
        account_keys,
        recent_blockhash,
        instructions,
        versioned,
        version: versioned.then_some(0),
        address_table_lookups,
        ..Default::default()
    })
}

/// What was not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn bytes(&mut self, length: usize) -> Result<&'a [u8]> {
        self.0.split_off(..length).context("cut")
    }

    fn u8(&mut self) -> Result<u8> {
        self.0.split_off_first().copied().context("cut")
    }

    fn compact_u16(&mut self) -> Result<u16> {
        let mut value = 0_u32;
        for shift in [0, 7, 14] {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u16::try_from(value).context("a length beyond 65535");
            }
        }
        anyhow::bail!("a length of more than three bytes")
    }

    fn compact_bytes(&mut self) -> Result<Vec<u8>> {
        let length = self.compact_u16()?;
        Ok(self.bytes(length.into())?.to_vec())
    }

    /// Memory grows with what is there, not with what the count promises.
    fn array<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.compact_u16()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transaction with one signature, two keys and one instruction; with a lookup if it has a version.
    fn transaction(versioned: bool) -> Vec<u8> {
        let mut bytes = vec![1];
        bytes.extend([7; 64]);
        bytes.extend(versioned.then_some(0x80));
        bytes.extend([1, 0, 1, 2]);
        bytes.extend([8; 32]);
        bytes.extend([9; 32]);
        bytes.extend([10; 32]);
        // An instruction with 200 bytes of data: a length of two bytes.
        bytes.extend([1, 1, 2, 0, 1, 0xc8, 0x01]);
        bytes.extend([11; 200]);
        if versioned {
            bytes.push(1);
            bytes.extend([12; 32]);
            bytes.extend([2, 5, 6, 1, 7]);
        }
        bytes
    }

    #[test]
    fn both_kinds_are_read_whole() {
        for versioned in [false, true] {
            let decoded = decode(&transaction(versioned)).unwrap();
            assert_eq!(decoded.signatures, [[7; 64]]);
            let message = &*decoded.message;
            assert_eq!(message.versioned, versioned);
            assert_eq!(message.account_keys, [[8; 32], [9; 32]]);
            assert_eq!(message.instructions[0].accounts, [0, 1]);
            assert_eq!(message.instructions[0].data, [11; 200]);
            assert_eq!(message.address_table_lookups.len(), usize::from(versioned));
        }
    }

    #[test]
    fn what_is_cut_longer_or_unknown_is_refused() {
        let whole = transaction(true);
        for length in 0..whole.len() {
            assert!(decode(&whole[..length]).is_err(), "{length} bytes");
        }
        let mut longer = whole.clone();
        longer.push(0);
        assert!(format!("{:#}", decode(&longer).unwrap_err()).contains("1 bytes stand behind it"));
        let mut other = whole;
        other[65] = 0x81;
        assert!(format!("{:#}", decode(&other).unwrap_err()).contains("version 1 is not known"));
        // Lengths that promise more than there is, or are none.
        for bytes in [
            &[0xff, 0xff, 0x03][..],
            &[0xff, 0xff, 0xff],
            &[0xff, 0xff, 0x7f],
            &[],
        ] {
            assert!(decode(bytes).is_err());
        }
    }
}
