//! Signed addresses: each lets its holder read one thing for ten minutes (interface, Limits).

use std::sync::Arc;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::error::{Error, Result};
use crate::keys::{Hasher, KeyPurpose};
use crate::shared::Shared;

/// Validity of an address, in seconds.
pub const ADDRESS_LIFETIME: i64 = 600;

/// Bytes of the expiry in seconds since 1970.
const EXPIRY: usize = 8;
/// Bytes of the signature at the end of an address: the first half of a keyed hash of payload and expiry.
const MARK: usize = 16;

/// Signs and reads addresses. Each kind of address has a payload of another length, so that an address of one
/// kind is never accepted as another kind.
pub struct SignedAddresses {
    pub(crate) shared: Arc<Shared>,
}

impl SignedAddresses {
    /// Address with the payload `says` below `path`, valid for ten minutes from now.
    pub(crate) fn sign(&self, path: &str, mut says: Vec<u8>) -> String {
        let expires = self.shared.clock.now().as_second() + ADDRESS_LIFETIME;
        says.extend_from_slice(&expires.to_be_bytes());
        let mark = self.shared.directory.hasher(KeyPurpose::Address).hash(&[&says]);
        says.extend_from_slice(&mark[..MARK]);
        format!("{}{path}{}", self.shared.settings.base_url, URL_SAFE_NO_PAD.encode(says))
    }

    /// Payload of a signed address. The payload must have `length` bytes.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the address was not signed here; [`Error::LinkExpired`] after ten minutes.
    pub(crate) fn open(&self, address: &str, length: usize) -> Result<Vec<u8>> {
        let unknown = || Error::Unknown { what: "document", id: String::new() };
        let mut bytes = URL_SAFE_NO_PAD.decode(address).map_err(|_| unknown())?;
        if bytes.len() != length + EXPIRY + MARK {
            return Err(unknown());
        }
        let (signed, mark) = bytes.split_at(length + EXPIRY);
        let is_signed =
            |hasher: &Hasher| verify_slices_are_equal(mark, &hasher.hash(&[signed])[..MARK]).is_ok();
        if !self.shared.directory.accepts(KeyPurpose::Address, is_signed) {
            return Err(unknown());
        }
        let expires = i64::from_be_bytes(signed[length..].try_into().expect("eight bytes"));
        if self.shared.clock.now().as_second() > expires {
            return Err(Error::LinkExpired);
        }
        bytes.truncate(length);
        Ok(bytes)
    }
}
