//! Verifies files that are stored in parts.

use aws_lc_rs::digest::{Context, SHA256};
use ports::storage::Result;

use super::VerifiedRow;
use crate::fields::Value;

/// Size and hash that a file had when it was stored.
pub(super) struct Whole {
    pub(super) bytes: u64,
    pub(super) hash: [u8; 32],
}

impl VerifiedRow<'_> {
    /// Checks that the parts of a file, from number 0 on, give the size and hash of the file. `statement`
    /// reads a part. Its last value is the part's number. `open` decrypts a part.
    pub(super) fn must_be_whole(
        &mut self,
        whole: &Whole,
        statement: &str,
        of_file: &[Value<'_>],
        open: impl Fn(u32, &[u8]) -> Result<Vec<u8>>,
    ) {
        let (mut hash, mut bytes) = (Context::new(&SHA256), 0);
        for number in 0.. {
            let mut part = None;
            let values = [of_file, &[Value::Integer(number.into())]].concat();
            let read = self.from.find(statement, &values, &mut |row| {
                part = Some(open(number, row.get(0)?)?);
                Ok(())
            });
            if self.read(read).is_none() {
                return;
            }
            let Some(part) = part else { break };
            bytes += part.len() as u64;
            hash.update(&part);
        }
        self.same("bytes of the file's parts", whole.bytes, bytes);
        if bytes == whole.bytes && hash.finish().as_ref() != whole.hash {
            self.fault("hash of the file's parts", "the hash of the file", "another hash");
        }
    }
}
