//! File that gets its name only when it is complete on disk.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::ownership::Model;

/// File being written under the temporary name `<name>.new` in the same folder. If this value is dropped
/// before it is finished, the file is removed.
pub struct AtomicFile {
    file: File,
    path: PathBuf,
    name: PathBuf,
}

impl AtomicFile {
    /// Begins an empty file with the owner, group and mode of the file that it will replace, or of its folder's
    /// other files. A temporary file that a killed process left behind is reused.
    ///
    /// # Errors
    /// If the system refuses, or another process writes a file for the same name.
    pub fn begin(name: &Path) -> io::Result<Self> {
        let (path, model) = (AtomicFile::temporary(name), Model::of(name));
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path)?;
        let other = || io::Error::other(format!("another process is writing {}", path.display()));
        file.try_lock().map_err(|refused| match refused {
            TryLockError::WouldBlock => other(),
            TryLockError::Error(cause) => cause,
        })?;
        // The previous holder of the lock may have renamed or removed the file. Then this handle is stale.
        let (held, there) = (file.metadata()?, fs::symlink_metadata(&path)?);
        if (held.dev(), held.ino()) != (there.dev(), there.ino()) {
            return Err(other());
        }
        file.set_len(0)?;
        match model {
            Some(model) => model.give_to(&file)?,
            None => file.set_permissions(fs::Permissions::from_mode(0o600))?,
        }
        Ok(AtomicFile { file, path, name: name.to_owned() })
    }

    /// Path that a file has until it is finished.
    pub(crate) fn temporary(name: &Path) -> PathBuf {
        let mut path = name.as_os_str().to_owned();
        path.push(".new");
        path.into()
    }

    /// Temporary path of the unfinished file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Open file, to write and sync.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Syncs the file to disk and gives it its name. Never replaces an existing file.
    ///
    /// # Errors
    /// If the system refuses; [`io::ErrorKind::AlreadyExists`] if a file of this name exists.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::hard_link(&self.path, &self.name) {
            Ok(()) => fs::remove_file(&self.path)?,
            Err(refused) if refused.kind() == io::ErrorKind::AlreadyExists => return Err(refused),
            // Some file systems, such as those of memory sticks, have no hard links.
            Err(refused) if fs::symlink_metadata(&self.name).is_ok() => return Err(refused),
            Err(_) => fs::rename(&self.path, &self.name)?,
        }
        sync_folder(&self.name)
    }
}

impl AtomicFile {
    /// Syncs the file to disk and replaces the file that has its name.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn replace(self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.name)?;
        sync_folder(&self.name)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // A finished file is gone already. If the removal fails, the next writer reuses the file.
        let _ = fs::remove_file(&self.path);
    }
}

/// Syncs the folder of a file, so that its file names are on disk.
pub(crate) fn sync_folder(file: &Path) -> io::Result<()> {
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
    fn a_file_gets_its_name_only_when_it_is_complete() {
        let folder = folder();
        let path = folder.path().join("file");
        // A file that a killed process left behind.
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
    fn finishing_a_file_does_not_replace_an_existing_file() {
        let folder = folder();
        let path = folder.path().join("file");
        let begun = AtomicFile::begin(&path).expect("begun");
        fs::write(&path, "another's").expect("written");
        assert_eq!(begun.finish().expect_err("taken").kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("there"), b"another's");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn a_file_that_is_dropped_unfinished_is_removed() {
        let folder = folder();
        drop(AtomicFile::begin(&folder.path().join("file")).expect("begun"));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn two_writers_cannot_write_the_same_file_at_the_same_time() {
        let folder = folder();
        let path = folder.path().join("file");
        let begun = AtomicFile::begin(&path).expect("begun");
        let refused = AtomicFile::begin(&path).err().expect("taken").to_string();
        assert!(refused.contains("another process is writing"), "{refused}");
        begun.finish().expect("named");
    }
}
