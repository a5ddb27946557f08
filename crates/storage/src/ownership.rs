//! Owner, group and mode of files that root creates for a service that runs as another user.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown, fchown};
use std::path::{Path, PathBuf};

/// What a new file takes over from its model: the file itself if it is replaced, else the file whose name it
/// extends (`keyring` for `keyring.store`), else its folder.
pub(crate) struct Model {
    uid: u32,
    gid: u32,
    /// Never for more than owner and group.
    mode: u32,
}

impl Model {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let extended = path.extension().map(|_| path.with_extension(""));
        let file = [Some(path.to_owned()), extended]
            .into_iter()
            .flatten()
            .find_map(|path| fs::symlink_metadata(path).ok().filter(Metadata::is_file));
        let (found, mode) = match file {
            Some(file) => (Some(file.clone()), file.mode() & 0o660 | 0o600),
            None => (fs::metadata(folder_of(path)).ok(), 0o600),
        };
        found.map(|found| Model { uid: found.uid(), gid: found.gid(), mode })
    }

    /// Gives a file that this process created its owner, group and mode. Only root can change an owner; without root,
    /// the file keeps this process's.
    pub(crate) fn give_to(&self, file: &File) -> io::Result<()> {
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (self.uid, self.gid) {
            unless_refused(fchown(file, Some(self.uid), Some(self.gid)))?;
        }
        file.set_permissions(fs::Permissions::from_mode(self.mode))
    }
}

fn unless_refused(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(cause) if cause.kind() == ErrorKind::PermissionDenied => Ok(()),
        done => done,
    }
}

fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

/// Opens a file, or creates it with the owner, group and mode of its folder's other files.
///
/// # Errors
/// If the system refuses.
pub fn open_or_create(path: &Path, options: &OpenOptions) -> io::Result<File> {
    create(path, options)?.map_or_else(|| options.open(path), Ok)
}

/// Creates a file with the owner, group and mode of its folder's other files. `None` if the file exists: it is not
/// even opened, because a process that closes a file loses all its locks on that file.
///
/// # Errors
/// If the system refuses.
pub(crate) fn create(path: &Path, options: &OpenOptions) -> io::Result<Option<File>> {
    let model = Model::of(path);
    match options.clone().create_new(true).mode(0o600).open(path) {
        Ok(file) => {
            model.map_or(Ok(()), |model| model.give_to(&file))?;
            Ok(Some(file))
        }
        Err(cause) if cause.kind() == ErrorKind::AlreadyExists => Ok(None),
        Err(cause) => Err(cause),
    }
}

/// Gives a folder that this process created the owner and group of the folder around it, unless that belongs to root.
///
/// # Errors
/// If the system refuses.
pub fn give_folder(folder: &Path) -> io::Result<()> {
    let around = fs::metadata(folder_of(folder))?;
    if around.uid() == 0 {
        return Ok(());
    }
    unless_refused(chown(folder, Some(around.uid()), Some(around.gid())))
}
