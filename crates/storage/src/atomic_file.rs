//! A file that gets its name only once it is whole and on the disk, and never takes the name of another.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A file while it is written, under a name of its own in the same folder. Dropped without a name, it goes.
pub struct AtomicFile {
    file: File,
    path: PathBuf,
    name: PathBuf,
}

impl AtomicFile {
    /// Begins an empty file for its owner alone. What a process that was killed left behind is taken over.
    ///
    /// # Errors
    /// What the system says; also when another process writes a file for the same name.
    pub fn begin(name: &Path) -> io::Result<Self> {
        let mut path = name.as_os_str().to_owned();
        path.push(".new");
        let path = PathBuf::from(path);
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path)?;
        let other = || io::Error::other(format!("another process writes {}", path.display()));
        file.try_lock().map_err(|refused| match refused {
            TryLockError::WouldBlock => other(),
            TryLockError::Error(cause) => cause,
        })?;
        // Whoever held the lock before may have named or removed the file: then this is no longer it.
        let (held, there) = (file.metadata()?, fs::symlink_metadata(&path)?);
        if (held.dev(), held.ino()) != (there.dev(), there.ino()) {
            return Err(other());
        }
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
        file.set_len(0)?;
        Ok(AtomicFile { file, path, name: name.to_owned() })
    }

    /// Where it is written.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// To write to, and to bring to the disk what was written.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Brings the file to the disk and gives it its name.
    ///
    /// # Errors
    /// What the system says; [`io::ErrorKind::AlreadyExists`] where the name is taken.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::hard_link(&self.path, &self.name) {
            Ok(()) => fs::remove_file(&self.path)?,
            Err(refused) if refused.kind() == io::ErrorKind::AlreadyExists => return Err(refused),
            // Some file systems, as on memory sticks, know one name for a file.
            Err(refused) if fs::symlink_metadata(&self.name).is_ok() => return Err(refused),
            Err(_) => fs::rename(&self.path, &self.name)?,
        }
        sync_folder(&self.name)
    }
}

impl AtomicFile {
    /// Brings the file to the disk and puts it in the place of the one that has its name.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn replace(self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.name)?;
        sync_folder(&self.name)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // Finished, it is gone already; left behind, the next one takes it over.
        let _ = fs::remove_file(&self.path);
    }
}

/// Brings the names in a file's folder to the disk.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder")
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("one").file_name().into_string().expect("text")).collect()
    }

    #[test]
    fn a_file_has_its_name_once_it_is_whole() {
        let folder = folder();
        let path = folder.path().join("file");
        // Killed while it wrote.
        fs::write(folder.path().join("file.new"), "half and longer than the whole").expect("written");
        let begun = AtomicFile::begin(&path).expect("begun");
        begun.file().write_all(b"whole").expect("written");
        assert!(!path.exists());
        begun.finish().expect("named");
        assert_eq!(fs::read(&path).expect("there"), b"whole");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn a_name_that_is_taken_stays_with_its_file() {
        let folder = folder();
        let path = folder.path().join("file");
        let begun = AtomicFile::begin(&path).expect("begun");
        fs::write(&path, "another's").expect("written");
        assert_eq!(begun.finish().expect_err("taken").kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("there"), b"another's");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn a_file_that_is_given_up_leaves_nothing() {
        let folder = folder();
        drop(AtomicFile::begin(&folder.path().join("file")).expect("begun"));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn two_do_not_write_one_file() {
        let folder = folder();
        let path = folder.path().join("file");
        let begun = AtomicFile::begin(&path).expect("begun");
        let refused = AtomicFile::begin(&path).err().expect("taken").to_string();
        assert!(refused.contains("another process writes"), "{refused}");
        begun.finish().expect("named");
    }
}
