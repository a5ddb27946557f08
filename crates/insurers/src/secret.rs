//! Secret that this service shares with an insurer. It is in a file of the operator, which is read again
//! after each change.

use std::fmt::{self, Write};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use service::clock::Random;

/// Least number of characters of a secret.
const SHORTEST: usize = 16;

/// Largest secret file, in bytes.
const LARGEST: u64 = 4096;

/// Most secrets in one file. The first is used for sending. A second, older one is still accepted during a
/// change of secrets.
const MOST: usize = 2;

/// Converts bytes to lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A secret. `Debug` does not print it.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn random(random: &dyn Random) -> Secret {
        let mut bytes = [0_u8; 32];
        random.fill(&mut bytes);
        Secret(hex(&bytes))
    }

    /// Secret with the given text, for tests.
    #[cfg(test)]
    pub(crate) fn known(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Secret(…)")
    }
}

/// Valid secrets. The first is used for sending. Received messages may use any of them.
#[derive(Debug, Clone)]
pub(crate) struct Secrets(Arc<[Secret]>);

impl Secrets {
    pub(crate) fn one(secret: Secret) -> Secrets {
        Secrets(Arc::new([secret]))
    }

    /// Secret with which this service authenticates its own messages.
    pub(crate) fn current(&self) -> &Secret {
        self.0.first().expect("at least one: checked when the file was parsed")
    }

    /// Secrets with which a received message may be authenticated.
    pub(crate) fn accepted(&self) -> impl Iterator<Item = &Secret> {
        self.0.iter()
    }

    /// Parses the text of a secret file: one secret on each line.
    fn read(text: &str) -> Result<Secrets, String> {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() || lines.len() > MOST {
            return Err(format!("has {} secrets; it must have one or two, one on each line", lines.len()));
        }
        if lines.iter().any(|line| line.len() < SHORTEST) {
            return Err(format!("has a secret of less than {SHORTEST} characters"));
        }
        if !lines.iter().all(|line| line.bytes().all(|byte| byte.is_ascii_graphic())) {
            return Err(
                "has a secret with characters that are not ASCII letters, digits or punctuation".into()
            );
        }
        Ok(Secrets(lines.into_iter().map(|line| Secret(line.to_owned())).collect()))
    }
}

/// Facts that identify one version of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn of(file: &Metadata) -> Self {
        Stamp { inode: file.ino(), size: file.size(), changed: (file.ctime(), file.ctime_nsec()) }
    }
}

/// Version and secrets of the file at the last read.
#[derive(Default)]
struct Known {
    stamp: Option<Stamp>,
    secrets: Option<Secrets>,
}

/// File with one or two secrets. Each use checks whether the file changed, so a new secret applies
/// immediately.
pub struct SecretFile {
    path: PathBuf,
    known: Mutex<Known>,
}

impl SecretFile {
    pub fn at(path: impl Into<PathBuf>) -> Self {
        SecretFile { path: path.into(), known: Mutex::default() }
    }

    /// Checks that the file is readable, that other users cannot read it, and that it has one or two secrets.
    ///
    /// # Errors
    /// The reason why the file cannot be used. The text names the file, but never shows its content.
    pub fn validate(&self) -> Result<(), String> {
        self.read().map(|_| ())
    }

    /// Valid secrets. If the file changed and cannot be used, the earlier secrets stay valid.
    ///
    /// # Errors
    /// The reason why the file cannot be used, if it was never read successfully.
    pub(crate) fn secrets(&self) -> Result<Secrets, String> {
        let stamp = fs::metadata(&self.path).ok().as_ref().map(Stamp::of);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.secrets.clone();
        if let Some(secrets) = before.clone().filter(|_| known.stamp == stamp) {
            return Ok(secrets);
        }
        let secrets = match (self.read(), before) {
            (Ok(secrets), _) => secrets,
            (Err(fault), Some(before)) => {
                tracing::warn!("{fault}: the earlier secret stays in force");
                before
            }
            (Err(fault), None) => return Err(fault),
        };
        *known = Known { stamp, secrets: Some(secrets.clone()) };
        Ok(secrets)
    }

    fn read(&self) -> Result<Secrets, String> {
        let shown = self.path.display();
        let cannot = |cause: io::Error| format!("the secret file {shown} cannot be read: {cause}");
        let file = File::open(&self.path).map_err(cannot)?;
        let about = file.metadata().map_err(cannot)?;
        if about.mode() & 0o007 != 0 {
            return Err(format!(
                "the secret file {shown} can be read by every user of this machine: run chmod o= on it"
            ));
        }
        let mut text = String::new();
        file.take(LARGEST).read_to_string(&mut text).map_err(cannot)?;
        Secrets::read(&text).map_err(|what| format!("the secret file {shown} {what}"))
    }
}

impl fmt::Debug for SecretFile {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "SecretFile({})", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn file_of(text: &str, mode: u32) -> (tempfile::TempDir, SecretFile) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permitted");
        (folder, SecretFile::at(path))
    }

    const GOOD: &str = "0123456789abcdef\n";

    #[test]
    fn a_secret_has_at_least_16_characters_in_a_file_that_other_users_cannot_read() {
        assert_eq!(file_of(GOOD, 0o600).1.validate(), Ok(()));
        assert_eq!(file_of(GOOD, 0o640).1.validate(), Ok(()));
        assert_eq!(file_of(&GOOD.repeat(2), 0o600).1.validate(), Ok(()));
        for (text, mode) in [
            (GOOD, 0o604),
            ("0123456789abcde", 0o600),
            ("", 0o600),
            ("0123456789 abcdef", 0o600),
            ("0123456789abcdé", 0o600),
        ] {
            assert!(file_of(text, mode).1.validate().is_err(), "{text:?} {mode:o}");
        }
        assert!(file_of(&GOOD.repeat(3), 0o600).1.validate().is_err());
        assert!(SecretFile::at("/nowhere/secret").validate().is_err());
    }

    #[test]
    fn a_changed_secret_file_takes_effect_and_an_unusable_one_keeps_the_old_secret() {
        let (folder, file) = file_of(GOOD, 0o600);
        let shown = || file.secrets().expect("a secret").current().as_str().to_owned();
        assert_eq!(shown(), "0123456789abcdef");
        let other = folder.path().join("other");
        fs::write(&other, "fedcba9876543210").expect("written");
        fs::set_permissions(&other, fs::Permissions::from_mode(0o600)).expect("permitted");
        fs::rename(&other, folder.path().join("secret")).expect("renamed");
        assert_eq!(shown(), "fedcba9876543210");
        fs::write(folder.path().join("secret"), "short").expect("written");
        assert_eq!(shown(), "fedcba9876543210");
        fs::remove_file(folder.path().join("secret")).expect("removed");
        assert_eq!(shown(), "fedcba9876543210");
    }

    #[test]
    fn the_debug_output_of_secrets_does_not_contain_them() {
        let secrets = Secrets::read(GOOD).expect("good");
        assert!(!format!("{secrets:?}").contains("0123"));
    }
}
