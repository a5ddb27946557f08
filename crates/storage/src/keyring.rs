//! The keyring: wrapping keys, without which the store's own keys cannot be read.
//!
//! Each key is one line, `wrap <number> <256 bits in base64>`. The last key wraps new keys. The keyring is in
//! a file or an environment variable, or a command prints it, such as the client of a key management service.
//! The file is created with mode 0600, and refused if other users may read it.

use std::fmt;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ports::clock::Random;
use thiserror::Error;

use crate::atomic_file::AtomicFile;

/// First line of every keyring, in a file or from another source.
const HEADING: &str = "covernote keyring 1";

/// Longest time for a command to print a keyring.
const LONGEST_COMMAND: Duration = Duration::from_secs(30);

/// Where a keyring is stored.
#[derive(Clone, PartialEq, Eq)]
pub enum KeyringSource {
    File(PathBuf),
    /// Name of an environment variable.
    Variable(String),
    /// Shell command that prints the keyring.
    Command(String),
}

impl KeyringSource {
    /// Reads a setting: `env:NAME`, `command:COMMAND`, or else the path of a file.
    pub fn of_setting(text: &str) -> Self {
        match text.split_once(':') {
            Some(("env", name)) => KeyringSource::Variable(name.to_owned()),
            Some(("command", command)) => KeyringSource::Command(command.to_owned()),
            _ => KeyringSource::File(text.into()),
        }
    }

    /// Path of the keyring, if it is a file.
    pub fn file(&self) -> Option<&Path> {
        match self {
            KeyringSource::File(path) => Some(path),
            KeyringSource::Variable(_) | KeyringSource::Command(_) => None,
        }
    }
}

impl fmt::Display for KeyringSource {
    /// Shows where the keyring is, but never a command, because a command may contain a secret.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyringSource::File(path) => write!(to, "{}", path.display()),
            KeyringSource::Variable(name) => write!(to, "from the variable {name}"),
            KeyringSource::Command(_) => to.write_str("from the command in the settings"),
        }
    }
}

impl fmt::Debug for KeyringSource {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "KeyringSource({self})")
    }
}

impl From<&Path> for KeyringSource {
    fn from(path: &Path) -> Self {
        KeyringSource::File(path.to_owned())
    }
}

impl From<&KeyringSource> for KeyringSource {
    fn from(source: &KeyringSource) -> Self {
        source.clone()
    }
}

impl From<&PathBuf> for KeyringSource {
    fn from(path: &PathBuf) -> Self {
        KeyringSource::File(path.clone())
    }
}

/// Why a keyring cannot be used.
#[derive(Debug, Error)]
pub enum KeyringError {
    /// The keyring cannot be read or created.
    #[error("the keyring {path} cannot be used: {cause}")]
    Unreadable {
        /// Path of the file, or a description if the keyring is not in a file.
        path: String,
        cause: io::Error,
    },
    /// Users other than the owner may read the file.
    #[error("other users can read the keyring {path}: run chmod 600 {path}")]
    Open {
        /// Path of the file.
        path: String,
    },
    /// The text is not a keyring.
    #[error("the keyring {path}, line {line}: {fault}")]
    Malformed {
        path: String,
        /// Line number, counted from 1.
        line: usize,
        fault: &'static str,
    },
}

/// Wrapping keys with their numbers, the newest last. `Debug` does not print the keys.
#[derive(Clone)]
pub struct Keyring(Vec<(u32, [u8; 32])>);

impl std::fmt::Debug for Keyring {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Keyring({} keys)", self.0.len())
    }
}

impl Keyring {
    /// Reads the keyring. If there is no file yet, creates one with a fresh key.
    ///
    /// # Errors
    /// [`KeyringError`] if the keyring cannot be read or created.
    pub fn read_or_make(source: impl Into<KeyringSource>, random: &dyn Random) -> Result<Self, KeyringError> {
        let source = source.into();
        match (Self::read(source.clone()), source.file()) {
            (Err(KeyringError::Unreadable { cause, .. }), Some(path))
                if cause.kind() == io::ErrorKind::NotFound =>
            {
                Self::make(path, random)
            }
            (read, _) => read,
        }
    }

    /// Reads the keyring.
    ///
    /// # Errors
    /// [`KeyringError`] if it cannot be read.
    pub fn read(source: impl Into<KeyringSource>) -> Result<Self, KeyringError> {
        Self::read_with_text(&source.into()).map(|(keyring, _)| keyring)
    }

    fn read_with_text(source: &KeyringSource) -> Result<(Self, String), KeyringError> {
        let unreadable = |cause| KeyringError::Unreadable { path: source.to_string(), cause };
        let text = match source {
            KeyringSource::File(path) => {
                let mode = fs::metadata(path).map_err(unreadable)?.permissions().mode();
                let text = fs::read_to_string(path).map_err(unreadable)?;
                if mode & 0o077 != 0 {
                    return Err(KeyringError::Open { path: source.to_string() });
                }
                text
            }
            KeyringSource::Variable(name) => {
                std::env::var(name).map_err(io::Error::other).map_err(unreadable)?
            }
            KeyringSource::Command(command) => printed_by(command).map_err(unreadable)?,
        };
        match Self::parse(&text) {
            Ok(keyring) => Ok((keyring, text)),
            Err((line, fault)) => Err(KeyringError::Malformed { path: source.to_string(), line, fault }),
        }
    }

    fn parse(text: &str) -> Result<Self, (usize, &'static str)> {
        let mut lines = text.lines().enumerate();
        match lines.next() {
            Some((_, HEADING)) => {}
            _ => return Err((1, "the keyring must begin with the line 'covernote keyring 1'")),
        }
        let mut keys: Vec<(u32, [u8; 32])> = Vec::new();
        for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let bad = |fault| (at + 1, fault);
            let mut words = line.split_whitespace();
            let (Some("wrap"), Some(number), Some(key), None) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                return Err(bad("every further line must be 'wrap', a number and a key"));
            };
            let number: u32 = number.parse().map_err(|_| bad("the key number must be a whole number"))?;
            if keys.iter().any(|(known, _)| *known == number) {
                return Err(bad("another key of the keyring has the same number"));
            }
            let key = STANDARD.decode(key).ok().and_then(|bytes| bytes.try_into().ok());
            keys.push((number, key.ok_or_else(|| bad("the key must be 256 bits in base64"))?));
        }
        if keys.is_empty() { Err((1, "the keyring contains no key")) } else { Ok(Keyring(keys)) }
    }

    /// Keyring with one fresh key.
    pub fn fresh(random: &dyn Random) -> Self {
        let mut keyring = Keyring(Vec::new());
        keyring.add(random);
        keyring
    }

    /// Adds a fresh key, and returns its number.
    pub fn add(&mut self, random: &dyn Random) -> u32 {
        let mut key = [0; 32];
        random.fill(&mut key);
        let number = 1 + self.numbers().max().unwrap_or(0);
        self.0.push((number, key));
        number
    }

    /// Removes a key. Returns `false` and removes nothing if the keyring does not have this key, or has no
    /// other key.
    pub fn remove(&mut self, number: u32) -> bool {
        let before = self.0.len();
        if before > 1 {
            self.0.retain(|(known, _)| *known != number);
        }
        self.0.len() < before
    }

    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(|(number, _)| *number)
    }

    /// MAC of a text by the newest key: the key's number, and hexadecimal digits.
    pub fn mac(&self, purpose: &str, text: &str) -> (u32, String) {
        let (number, key) = self.0.last().expect("a keyring has a key");
        (*number, tag(key, purpose, text))
    }

    /// Whether a MAC of [`Keyring::mac`] is right. `None` if the keyring has no key of this number.
    pub fn proves(&self, purpose: &str, text: &str, number: u32, mac: &str) -> Option<bool> {
        let (_, key) = self.0.iter().find(|(known, _)| *known == number)?;
        Some(verify_slices_are_equal(tag(key, purpose, text).as_bytes(), mac.as_bytes()).is_ok())
    }

    /// Keyring as text, in the format of its file. Anyone who has this text can read the store.
    pub fn to_text(&self) -> String {
        let line = |(number, key): &(u32, [u8; 32])| format!("wrap {number} {}\n", STANDARD.encode(key));
        format!("{HEADING}\n{}", self.0.iter().map(line).collect::<String>())
    }

    /// Replaces a keyring's file with this keyring.
    ///
    /// # Errors
    /// [`KeyringError`] if the file cannot be written. The file is then unchanged.
    pub fn replace(&self, path: &Path) -> Result<(), KeyringError> {
        let written = AtomicFile::begin(path).and_then(|keyring| {
            keyring.file().write_all(self.to_text().as_bytes())?;
            keyring.replace()
        });
        written.map_err(|cause| KeyringError::Unreadable { path: path.display().to_string(), cause })
    }

    fn make(path: &Path, random: &dyn Random) -> Result<Self, KeyringError> {
        let keyring = Self::fresh(random);
        write(path, &keyring.to_text())?;
        Ok(keyring)
    }

    /// Reads a keyring's file and writes a copy of it. The copy is synced to disk when this returns.
    ///
    /// # Errors
    /// [`KeyringError`] if the keyring cannot be read or copied, or if the file `to` exists.
    pub fn copy(from: &Path, to: &Path) -> Result<Self, KeyringError> {
        let (keyring, text) = Self::read_with_text(&from.into())?;
        write(to, &text)?;
        Ok(keyring)
    }

    /// Newest wrapping key, with its number. New keys of the store are wrapped with it.
    pub(crate) fn newest(&self) -> (u32, &[u8; 32]) {
        let (number, key) = self.0.last().expect("at least one key: checked by Keyring::parse");
        (*number, key)
    }

    pub(crate) fn key(&self, number: u32) -> Option<&[u8; 32]> {
        self.0.iter().find(|(known, _)| *known == number).map(|(_, key)| key)
    }
}

/// Output of a shell command, which must end within 30 seconds.
fn printed_by(command: &str) -> io::Result<String> {
    let mut child = Command::new("/bin/sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()?;
    let mut output = child
        .stdout
        .take()
        .ok_or_else(|| io::Error::other("the output of the keyring command cannot be read"))?;
    let (send, printed) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = output.read_to_string(&mut text).map(|_| text);
        // If sending fails, the command took too long and the receiver is gone.
        let _ = send.send(read);
    });
    let Ok(text) = printed.recv_timeout(LONGEST_COMMAND) else {
        child.kill()?;
        child.wait()?;
        return Err(io::Error::other(format!(
            "the keyring command took more than {} s",
            LONGEST_COMMAND.as_secs()
        )));
    };
    match child.wait()? {
        status if status.success() => text,
        status => Err(io::Error::other(format!("the keyring command failed: {status}"))),
    }
}

/// Keyring of an open store. The keyring is read again if it cannot unwrap a key of the store.
pub(crate) struct LiveKeyring {
    source: KeyringSource,
    current: RwLock<Arc<Keyring>>,
}

impl LiveKeyring {
    pub(crate) fn new(source: KeyringSource, keyring: Keyring) -> Self {
        LiveKeyring { source, current: RwLock::new(Arc::new(keyring)) }
    }

    pub(crate) fn current(&self) -> Arc<Keyring> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the keyring from its source again.
    ///
    /// # Errors
    /// [`KeyringError`] if the keyring cannot be read. The current keyring then stays in use.
    pub(crate) fn read_again(&self) -> Result<Arc<Keyring>, KeyringError> {
        let keyring = Arc::new(Keyring::read(self.source.clone())?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = keyring.clone();
        Ok(keyring)
    }
}

/// MAC of a text, in hexadecimal digits, by a key that is derived from a wrapping key.
fn tag(key: &[u8; 32], purpose: &str, text: &str) -> String {
    let derived = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), purpose.as_bytes());
    let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref()), text.as_bytes());
    mac.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Creates the file of a keyring, complete or not at all. An existing file is an error.
fn write(path: &Path, text: &str) -> Result<(), KeyringError> {
    let written = AtomicFile::begin(path).and_then(|keyring| {
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
    fn a_keyring_is_created_only_once_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keyring");
        let made = Keyring::read_or_make(&path, &Sevens).expect("made");
        let read = Keyring::read_or_make(&path, &Sevens).expect("read");
        assert_eq!(made.0, read.0);
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_copied_keyring_has_the_same_keys_and_never_replaces_a_file() {
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
    fn a_keyring_file_that_other_users_can_read_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keyring");
        Keyring::read_or_make(&path, &Sevens).expect("made");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("changed");
        let refused = Keyring::read(&path).expect_err("others may read it").to_string();
        assert!(refused.contains("chmod 600"), "{refused}");
    }

    #[test]
    fn a_keyring_can_come_from_a_file_a_variable_or_a_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keyring");
        let made = Keyring::read_or_make(&path, &Sevens).expect("made");
        let command = KeyringSource::of_setting(&format!("command:cat '{}'", path.display()));
        assert_eq!(Keyring::read(command).expect("printed").0, made.0);
        let failed = Keyring::read(KeyringSource::of_setting("command:echo secret >&2; exit 3"));
        let failed = failed.expect_err("it failed").to_string();
        assert!(failed.contains("exit status: 3") && !failed.contains("secret"), "{failed}");
        assert_eq!(KeyringSource::of_setting("env:KEYS"), KeyringSource::Variable("KEYS".into()));
        let missing = Keyring::read(KeyringSource::Variable("COVERNOTE_NO_SUCH_KEYRING".into()));
        assert!(missing.expect_err("not set").to_string().contains("COVERNOTE_NO_SUCH_KEYRING"));
        assert_eq!(KeyringSource::of_setting("a/keyring").file(), Some(Path::new("a/keyring")));
    }

    #[test]
    fn keys_can_be_added_to_and_removed_from_a_keyring_except_the_last_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keyring");
        let mut keyring = Keyring::read_or_make(&path, &Sevens).expect("made");
        assert!(!keyring.remove(1), "the only key stays");
        assert_eq!(keyring.add(&Sevens), 2);
        keyring.replace(&path).expect("replaced");
        let mut read = Keyring::read(&path).expect("for its owner alone");
        assert_eq!(read.0, keyring.0);
        assert_eq!(read.newest().0, 2);
        assert!(!read.remove(3) && read.remove(1));
        assert_eq!(read.numbers().collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_malformed_keyring_line_is_reported_by_its_number() {
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
