//! The keyring: a file of wrapping keys, without which the store's own keys cannot be read.
//!
//! One line a key, `wrap <number> <256 bits in base64>`, the last one wrapping what is new. The file is made
//! with mode 0600 and refused when others may read it.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use service::clock::Random;
use thiserror::Error;

use crate::atomic_file::Unfinished;

/// First line of the file.
const HEADING: &str = "covernote keyring 1";

/// Why a keyring cannot be used. One clear sentence each.
#[derive(Debug, Error)]
pub enum KeyringError {
    /// The file cannot be read or made.
    #[error("the keyring {path} cannot be used: {cause}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        cause: io::Error,
    },
    /// Others than its owner may read the file.
    #[error("the keyring {path} may be read by others; say: chmod 600 {path}")]
    Open {
        /// The file.
        path: String,
    },
    /// The file is no keyring.
    #[error("the keyring {path}, line {line}: {fault}")]
    Malformed {
        /// The file.
        path: String,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        fault: &'static str,
    },
}

/// Wrapping keys by number, the newest last. They do not print.
#[derive(Clone)]
pub struct Keyring(Vec<(u32, [u8; 32])>);

impl std::fmt::Debug for Keyring {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Keyring({} keys)", self.0.len())
    }
}

impl Keyring {
    /// Reads the keyring, or makes one with a fresh key where there is none.
    ///
    /// # Errors
    /// [`KeyringError`].
    pub fn read_or_make(path: &Path, random: &dyn Random) -> Result<Self, KeyringError> {
        match Self::read(path) {
            Err(KeyringError::Unreadable { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
                Self::make(path, random)
            }
            read => read,
        }
    }

    /// Reads the keyring.
    ///
    /// # Errors
    /// [`KeyringError`].
    pub fn read(path: &Path) -> Result<Self, KeyringError> {
        Self::read_with_text(path).map(|(keyring, _)| keyring)
    }

    fn read_with_text(path: &Path) -> Result<(Self, String), KeyringError> {
        let shown = path.display().to_string();
        let unreadable = |cause| KeyringError::Unreadable { path: shown.clone(), cause };
        let mode = fs::metadata(path).map_err(unreadable)?.permissions().mode();
        let text = fs::read_to_string(path).map_err(unreadable)?;
        if mode & 0o077 != 0 {
            return Err(KeyringError::Open { path: shown });
        }
        match Self::parse(&text) {
            Ok(keyring) => Ok((keyring, text)),
            Err((line, fault)) => Err(KeyringError::Malformed { path: shown, line, fault }),
        }
    }

    fn parse(text: &str) -> Result<Self, (usize, &'static str)> {
        let mut lines = text.lines().enumerate();
        match lines.next() {
            Some((_, HEADING)) => {}
            _ => return Err((1, "it does not begin with 'covernote keyring 1'")),
        }
        let mut keys: Vec<(u32, [u8; 32])> = Vec::new();
        for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let bad = |fault| (at + 1, fault);
            let mut words = line.split_whitespace();
            let (Some("wrap"), Some(number), Some(key), None) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                return Err(bad("a line is 'wrap', a number and a key"));
            };
            let number: u32 = number.parse().map_err(|_| bad("the number of the key is not a number"))?;
            if keys.iter().any(|(known, _)| *known == number) {
                return Err(bad("the number of the key stands twice"));
            }
            let key = STANDARD.decode(key).ok().and_then(|bytes| bytes.try_into().ok());
            keys.push((number, key.ok_or_else(|| bad("the key is not 256 bits in base64"))?));
        }
        if keys.is_empty() { Err((1, "it holds no key")) } else { Ok(Keyring(keys)) }
    }

    fn make(path: &Path, random: &dyn Random) -> Result<Self, KeyringError> {
        let mut key = [0; 32];
        random.fill(&mut key);
        write(path, &format!("{HEADING}\nwrap 1 {}\n", STANDARD.encode(key)))?;
        Ok(Keyring(vec![(1, key)]))
    }

    /// Reads a keyring and makes a copy of it, which is on the disk when this returns.
    ///
    /// # Errors
    /// [`KeyringError`], also where there is a file of the copy's name.
    pub fn copy(from: &Path, to: &Path) -> Result<Self, KeyringError> {
        let (keyring, text) = Self::read_with_text(from)?;
        write(to, &text)?;
        Ok(keyring)
    }

    /// The key that wraps what is new.
    pub(crate) fn newest(&self) -> (u32, &[u8; 32]) {
        let (number, key) = self.0.last().expect("at least one key: checked by Keyring::parse");
        (*number, key)
    }

    pub(crate) fn key(&self, number: u32) -> Option<&[u8; 32]> {
        self.0.iter().find(|(known, _)| *known == number).map(|(_, key)| key)
    }
}

/// Writes the file whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), KeyringError> {
    let written = Unfinished::begin(path).and_then(|keyring| {
        keyring.file().write_all(text.as_bytes())?;
        keyring.finish()
    });
    written.map_err(|cause| KeyringError::Unreadable { path: path.display().to_string(), cause })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;
    impl Random for Sevens {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    #[test]
    fn a_keyring_is_made_once_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keyring");
        let made = Keyring::read_or_make(&path, &Sevens).expect("made");
        let read = Keyring::read_or_make(&path, &Sevens).expect("read");
        assert_eq!(made.0, read.0);
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_copy_of_a_keyring_opens_the_same_and_takes_nobodys_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, copy) = (folder.path().join("keyring"), folder.path().join("copy"));
        let made = Keyring::read_or_make(&path, &Sevens).expect("made");
        Keyring::copy(&path, &copy).expect("copied");
        assert_eq!(Keyring::read(&copy).expect("for its owner alone").0, made.0);
        Keyring::copy(&path, &copy).expect_err("it is there already");
        fs::write(&copy, "no keyring").expect("written");
        Keyring::copy(&copy, &folder.path().join("other")).expect_err("what is no keyring is not copied");
        assert!(!folder.path().join("other").exists());
    }

    #[test]
    fn a_keyring_that_others_may_read_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keyring");
        Keyring::read_or_make(&path, &Sevens).expect("made");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("changed");
        let refused = Keyring::read(&path).expect_err("others may read it").to_string();
        assert!(refused.contains("chmod 600"), "{refused}");
    }

    #[test]
    fn a_malformed_line_is_named() {
        for (text, line) in [
            ("", 1),
            ("covernote keyring 1\n", 1),
            ("covernote keyring 1\nwrap x AAAA", 2),
            ("covernote keyring 1\nwrap 1 AAAA", 2),
        ] {
            assert_eq!(Keyring::parse(text).map(|_| ()).map_err(|(line, _)| line), Err(line), "{text:?}");
        }
    }
}
