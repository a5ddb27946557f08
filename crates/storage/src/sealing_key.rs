//! Key that encrypts bodies with AES-256-GCM-SIV (RFC 8452).

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use domain::date::Timestamp;
use ports::clock::Random;
use ports::storage::{Result, StorageError};

const VERSION: u8 = 2;
const NONCE: usize = 12;
/// Number of bytes before the ciphertext: version, key number, nonce.
pub(crate) const HEAD: usize = 1 + 4 + NONCE;
const TAG: usize = 16;

/// Key that encrypts and decrypts bodies.
pub(crate) struct SealingKey {
    pub(crate) number: u32,
    /// Time from which the key encrypts. Until then it only decrypts, so that every process has time to read
    /// the key.
    pub(crate) active_from: Timestamp,
    key: LessSafeKey,
}

impl SealingKey {
    pub(crate) fn of(number: u32, secret: &[u8; 32], active_from: Timestamp) -> Self {
        let key = UnboundKey::new(&AES_256_GCM_SIV, secret).expect("a key of 32 bytes");
        SealingKey { number, active_from, key: LessSafeKey::new(key) }
    }

    /// Encrypts bytes. The result (envelope) begins with version, number of the key, and nonce.
    pub(crate) fn seal(&self, random: &dyn Random, bound_to: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        let mut nonce = [0; NONCE];
        random.fill(&mut nonce);
        let mut sealed = Vec::with_capacity(HEAD + plain.len() + TAG);
        sealed.push(VERSION);
        sealed.extend_from_slice(&self.number.to_be_bytes());
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(plain);
        let nonce = Nonce::assume_unique_for_key(nonce);
        let tag = self
            .key
            .seal_in_place_separate_tag(nonce, Aad::from(bound_to), &mut sealed[HEAD..])
            .map_err(|_| StorageError::Refused("the content of a record could not be encrypted".into()))?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }

    /// Decrypts an envelope in place. Call [`key_number`] first, which checks the length of the envelope.
    pub(crate) fn open<'s>(&self, bound_to: &[u8], sealed: &'s mut [u8]) -> Result<&'s [u8]> {
        let nonce: [u8; NONCE] =
            sealed[5..HEAD].try_into().expect("the head's length: checked by key_number");
        let nonce = Nonce::assume_unique_for_key(nonce);
        let opened = self.key.open_in_place(nonce, Aad::from(bound_to), &mut sealed[HEAD..]);
        opened.map(|opened| &*opened).map_err(|_| {
            StorageError::Damaged(
                "an encrypted value cannot be decrypted: the value or its row was changed, or another key encrypted it".into(),
            )
        })
    }
}

/// Number of the key that encrypted an envelope.
pub(crate) fn key_number(sealed: &[u8]) -> Result<u32> {
    match sealed {
        [VERSION, a, b, c, d, rest @ ..] if rest.len() >= NONCE => Ok(u32::from_be_bytes([*a, *b, *c, *d])),
        _ => Err(StorageError::Damaged("an encrypted value has an unknown format".into())),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Test source of random bytes that always gives the same bytes.
    struct Always([u8; NONCE]);

    impl Random for Always {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.0[..bytes.len()]);
        }
    }

    fn key_of(secret: [u8; 32]) -> SealingKey {
        SealingKey::of(7, &secret, Timestamp::UNIX_EPOCH)
    }

    fn differences(one: &[u8], other: &[u8]) -> Vec<u8> {
        one.iter().zip(other).map(|(one, other)| one ^ other).collect()
    }

    proptest! {
        #[test]
        fn a_sealed_body_is_opened_unchanged(
            secret: [u8; 32],
            drawn: [u8; NONCE],
            row: [u8; 16],
            plain in prop::collection::vec(any::<u8>(), 0..1000),
        ) {
            let key = key_of(secret);
            let mut sealed = key.seal(&Always(drawn), &row, &plain).expect("sealed");
            prop_assert_eq!(key_number(&sealed).expect("an envelope"), 7);
            prop_assert_eq!(sealed.len(), HEAD + plain.len() + TAG);
            prop_assert_eq!(key.open(&row, &mut sealed).expect("opened"), plain);
        }

        #[test]
        fn a_repeated_nonce_does_not_reveal_the_difference_of_two_bodies(
            drawn: [u8; NONCE],
            plain in prop::collection::vec(any::<u8>(), 32..100),
            at: prop::sample::Index,
        ) {
            let key = key_of([1; 32]);
            let body = |row: &[u8], plain: &[u8]| {
                let sealed = key.seal(&Always(drawn), row, plain).expect("sealed");
                sealed[HEAD..HEAD + plain.len()].to_vec()
            };
            let mut other = plain.clone();
            other[at.index(plain.len())] ^= 1;
            let (first, second) = (body(b"row", &plain), body(b"row", &other));
            prop_assert_ne!(differences(&first, &second), differences(&plain, &other));
            prop_assert_ne!(&first, &body(b"another row", &plain));
            prop_assert_eq!(&first, &body(b"row", &plain));
        }

        #[test]
        fn a_sealed_value_with_a_changed_byte_row_or_key_does_not_open(
            secret: [u8; 32],
            plain in prop::collection::vec(any::<u8>(), 0..100),
            at: prop::sample::Index,
        ) {
            let key = key_of(secret);
            let mut sealed = key.seal(&Always([9; NONCE]), b"row", &plain).expect("sealed");
            prop_assert!(key.open(b"another", &mut sealed.clone()).is_err());
            prop_assert!(key_of([0; 32]).open(b"row", &mut sealed.clone()).is_err() || secret == [0; 32]);
            let body = sealed.len() - 5;
            sealed[5 + at.index(body)] ^= 1;
            prop_assert!(key.open(b"row", &mut sealed).is_err());
        }
    }

    #[test]
    fn a_sealed_value_that_is_too_short_does_not_open() {
        let key = key_of([1; 32]);
        let sealed = key.seal(&Always([9; NONCE]), b"row", b"").expect("sealed");
        assert_eq!(sealed.len(), HEAD + TAG);
        for length in HEAD..sealed.len() {
            assert!(key.open(b"row", &mut sealed.clone()[..length]).is_err());
        }
    }
}
