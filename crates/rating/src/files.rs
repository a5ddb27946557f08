//! Files of a catalogue in memory, with their canonical form.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use aws_lc_rs::digest;
use domain::quote::CatalogueHash;

/// Largest file that is accepted: 4 MiB.
const LARGEST_FILE: u64 = 4 << 20;
/// Largest catalogue that is accepted: 32 MiB.
const LARGEST_CATALOGUE: u64 = 32 << 20;
/// Most levels of nested folders. This limit also stops at symbolic links that form a loop.
const DEEPEST: usize = 8;
/// Ending of the names of workbooks. All other files are text.
const WORKBOOK: &str = ".xlsx";
/// First line of the canonical form. If the format changes, the number must change.
const HEADER: &[u8] = b"covernote catalogue 1\n";

/// Files of a catalogue, by their paths in the catalogue's folder (`insurers/saathi/insurer.toml`). Text
/// files have LF line endings and no byte order mark. Workbooks are unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

/// Why paths or bytes cannot be read as the files of a catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    /// The path is not allowed in a catalogue.
    #[error("`{0}` is not a path inside a catalogue")]
    Path(String),
    /// The bytes are not an output of [`Files::canonical`].
    #[error("these bytes are not the canonical form of a catalogue")]
    NotCanonical,
}

impl Files {
    /// Builds the files from pairs of path and content.
    ///
    /// # Errors
    /// [`FilesError::Path`] if a path is absolute or hidden, leaves the folder, or has control characters.
    pub fn of(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<Files, FilesError> {
        files.into_iter().try_fold(Files::default(), |mut all, (path, content)| {
            if !is_inside(&path) {
                return Err(FilesError::Path(path));
            }
            let content = normalised(&path, &content);
            all.0.insert(path, content);
            Ok(all)
        })
    }

    /// Reads every `.toml`, `.csv` and `.xlsx` file of a folder and its subfolders, except hidden files.
    ///
    /// # Errors
    /// If the file system fails, a file exceeds 4 MiB, all files together exceed 32 MiB, or a name is not
    /// UTF-8 or has control characters.
    pub fn read(folder: &Path) -> io::Result<Files> {
        let mut files = Files::default();
        let mut left = LARGEST_CATALOGUE;
        read_folder(folder, "", DEEPEST, &mut left, &mut files)?;
        Ok(files)
    }

    /// Parses bytes that [`Files::canonical`] wrote.
    ///
    /// # Errors
    /// [`FilesError`] if the bytes are not in canonical form.
    pub fn from_canonical(bytes: &[u8]) -> Result<Files, FilesError> {
        let mut rest = bytes.strip_prefix(HEADER).ok_or(FilesError::NotCanonical)?;
        let mut files = Vec::new();
        while !rest.is_empty() {
            let (file, after) = read_entry(rest).ok_or(FilesError::NotCanonical)?;
            files.push(file);
            rest = after;
        }
        let count = files.len();
        let files = Files::of(files)?;
        if files.0.len() == count && files.canonical() == bytes {
            Ok(files)
        } else {
            Err(FilesError::NotCanonical)
        }
    }

    /// Serialises all files that affect prices. Equal files give equal bytes on every system. Omits the
    /// charts under `tests/`. [`crate::Catalogue::hash`] is the hash of these bytes.
    pub fn canonical(&self) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        for (path, content) in self.0.iter().filter(|(path, _)| !path.starts_with("tests/")) {
            bytes.extend_from_slice(format!("{} {}\n", path.len(), content.len()).as_bytes());
            bytes.extend_from_slice(path.as_bytes());
            bytes.push(b'\n');
            bytes.extend_from_slice(content);
            bytes.push(b'\n');
        }
        bytes
    }

    /// Writes the files into a folder. Creates the folder if necessary.
    ///
    /// # Errors
    /// Errors of the file system. [`io::ErrorKind::AlreadyExists`] if one of the files exists; then no file
    /// is written.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        if let Some(path) = self.paths().find(|path| folder.join(path).symlink_metadata().is_ok()) {
            let there = format!("{} already exists", folder.join(path).display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, there));
        }
        for (path, content) in &self.0 {
            write_new(&folder.join(path), content)?;
        }
        Ok(())
    }

    /// All paths of files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }
}

/// Writes a new file. Creates its folder if necessary. Fails if the file exists.
pub(crate) fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(path)?.write_all(content)
}

/// Reads a folder with its subfolders. `inside` is the path of the folder in the catalogue: empty, or with a
/// slash at the end.
fn read_folder(
    folder: &Path,
    inside: &str,
    depth: usize,
    left: &mut u64,
    files: &mut Files,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // An open spreadsheet has a lock file beside it whose name begins with `~$`.
        if [&b"."[..], b"~$"].iter().any(|begin| name.as_encoded_bytes().starts_with(begin)) {
            continue;
        }
        let at = entry.path();
        let kind = fs::metadata(&at)?;
        let wanted = kind.is_dir() || is_of_a_catalogue(name.as_encoded_bytes());
        if !wanted {
            continue;
        }
        let name = name.to_str().filter(|name| is_inside(name));
        let name = name.ok_or_else(|| invalid(&at, "has a name that is not allowed in a catalogue"))?;
        let path = format!("{inside}{name}");
        if kind.is_dir() {
            let depth = depth.checked_sub(1).ok_or_else(|| invalid(&at, "is nested too deep"))?;
            read_folder(&at, &format!("{path}/"), depth, left, files)?;
        } else {
            let content = normalised(&path, &read_file(&at, left)?);
            files.0.insert(path, content);
        }
    }
    Ok(())
}

/// Reads a file if it is within the size limits. `left` is the number of bytes that the catalogue may still
/// have; it is reduced by the file's size.
fn read_file(at: &Path, left: &mut u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let bound = LARGEST_FILE.min(*left);
    fs::File::open(at)?.take(bound + 1).read_to_end(&mut content)?;
    let size = content.len() as u64;
    if size > bound {
        return Err(invalid(at, "exceeds the limits of a catalogue (4 MiB a file, 32 MiB in all)"));
    }
    *left -= size;
    Ok(content)
}

/// Error for a file or folder, with its path and the reason.
fn invalid(at: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{} {why}", at.display()))
}

/// Whether a path stays in the catalogue's folder. None of its parts between slashes may be empty or hidden.
fn is_inside(path: &str) -> bool {
    let plain = |c: char| !c.is_control() && c != '\\' && c != ':';
    path.chars().all(plain) && path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

/// Whether a file with this name can belong to a catalogue.
pub(crate) fn is_of_a_catalogue(name: &[u8]) -> bool {
    [".toml", ".csv", WORKBOOK].iter().any(|end| name.ends_with(end.as_bytes()))
}

/// Converts text to LF line endings, and removes a byte order mark. Does not change a workbook.
fn normalised(path: &str, content: &[u8]) -> Vec<u8> {
    if path.ends_with(WORKBOOK) {
        return content.to_vec();
    }
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let mut plain = Vec::with_capacity(content.len());
    for (at, byte) in content.iter().enumerate() {
        if !(*byte == b'\r' && content.get(at + 1) == Some(&b'\n')) {
            plain.push(*byte);
        }
    }
    plain
}

/// File of the canonical form (path and content), and the bytes after it.
type Entry<'b> = ((String, Vec<u8>), &'b [u8]);

/// Hash that identifies a catalogue version: SHA-256 of the canonical form.
pub fn hash_of(canonical: &[u8]) -> CatalogueHash {
    let digest = digest::digest(&digest::SHA256, canonical);
    CatalogueHash(digest.as_ref().try_into().expect("SHA-256 is 32 bytes"))
}

/// Reads the first file of `bytes`. Also returns the bytes after it. `None` if they are not in canonical
/// form.
fn read_entry(bytes: &[u8]) -> Option<Entry<'_>> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (path_size, size) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
    let (path, rest) = read_part(&bytes[end + 1..], path_size.parse().ok()?)?;
    let (content, rest) = read_part(rest, size.parse().ok()?)?;
    Some(((String::from_utf8(path.to_vec()).ok()?, content.to_vec()), rest))
}

/// Splits off the first `size` bytes. The next byte must be a line end, and is skipped.
fn read_part(bytes: &[u8], size: usize) -> Option<(&[u8], &[u8])> {
    let (part, rest) = bytes.split_at_checked(size)?;
    Some((part, rest.strip_prefix(b"\n")?))
}
