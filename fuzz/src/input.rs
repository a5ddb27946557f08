//! Input of a target, as stored in the corpus.

use std::fmt;

/// Head, which says what the body is for, with the body.
#[derive(Clone, PartialEq, Eq)]
pub struct Input {
    /// First line of the file.
    pub head: String,
    /// Bytes after the first line end.
    pub body: Vec<u8>,
}

impl Input {
    /// Parses a file of the corpus. A file of one line has no body.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        Input { head, body: bytes.get(end + 1..).unwrap_or_default().to_vec() }
    }

    /// Serialises the input for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.head.as_bytes(), b"\n", &self.body].concat()
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: ", self.head)?;
        match std::str::from_utf8(&self.body) {
            Ok(text) => write!(to, "{text}"),
            Err(_) => self.body.iter().try_for_each(|byte| write!(to, "{byte:02x}")),
        }
    }
}
