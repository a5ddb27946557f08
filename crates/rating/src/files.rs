//! The files of a catalogue in memory, and their canonical form.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use aws_lc_rs::digest;
use domain::quote::CatalogueHash;

/// Largest file that is read, in bytes.
const LARGEST_FILE: u64 = 4 << 20;
/// Most bytes that a catalogue may have in all.
const LARGEST_CATALOGUE: u64 = 32 << 20;
/// Number of nested folders that are read. It also ends a link that leads back.
const DEEPEST: usize = 8;
/// How the name of a workbook ends, the one kind of file that is no text.
const WORKBOOK: &str = ".xlsx";
/// First line of the canonical form; the number changes when the form does.
const HEADER: &[u8] = b"covernote catalogue 1\n";

/// The files of a catalogue, by their paths inside it (`insurers/saathi/insurer.toml`), with LF line endings
/// and without byte order marks; workbooks byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

/// Why bytes or paths are not the files of a catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    /// The path cannot be in a catalogue.
    #[error("`{0}` is not a path inside a catalogue")]
    Path(String),
    /// [`Files::canonical`] did not write the bytes.
    #[error("these bytes are not the canonical form of a catalogue")]
    NotCanonical,
}

impl Files {
    /// The files of these paths and contents.
    ///
    /// # Errors
    /// [`FilesError::Path`] for an absolute or hidden path, one that leads elsewhere, or one with control
    /// characters.
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

    /// Reads every `.toml`, `.csv` and `.xlsx` file of a folder and its folders; hidden ones are skipped.
    ///
    /// # Errors
    /// Errors of the file system; files of more than 4 MiB, more than 32 MiB in all, and names that are
    /// not UTF-8 or have control characters.
    pub fn read(folder: &Path) -> io::Result<Files> {
        let mut files = Files::default();
        let mut left = LARGEST_CATALOGUE;
        read_folder(folder, "", DEEPEST, &mut left, &mut files)?;
        Ok(files)
    }

    /// The files that [`Files::canonical`] wrote.
    ///
    /// # Errors
    /// [`FilesError`] when the bytes are not such a form.
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

    /// One run of bytes that holds every file a price depends on, the same for the same files on every system.
    /// The charts under `tests/` are left out. [`crate::Catalogue::hash`] is the hash of these bytes.
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

    /// Writes the files into a folder, which is made where there is none.
    ///
    /// # Errors
    /// Errors of the file system; [`io::ErrorKind::AlreadyExists`] when one of the files is already there, and
    /// then nothing is written.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        if let Some(path) = self.paths().find(|path| folder.join(path).symlink_metadata().is_ok()) {
            let there = format!("{} is already there", folder.join(path).display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, there));
        }
        for (path, content) in &self.0 {
            write_new(&folder.join(path), content)?;
        }
        Ok(())
    }

    /// The paths, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The content of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }
}

/// Writes a new file, with its folder. A file that is there already is an error.
pub(crate) fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(path)?.write_all(content)
}

/// Reads a folder and those in it. `inside` is its path within the catalogue, empty or with a slash at its end.
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
        // A spreadsheet that is open leaves a file beside it whose name begins with ~$.
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
        let name = name.ok_or_else(|| invalid(&at, "has a name that a catalogue cannot keep"))?;
        let path = format!("{inside}{name}");
        if kind.is_dir() {
            let depth = depth.checked_sub(1).ok_or_else(|| invalid(&at, "lies too deep"))?;
            read_folder(&at, &format!("{path}/"), depth, left, files)?;
        } else {
            let content = normalised(&path, &read_file(&at, left)?);
            files.0.insert(path, content);
        }
    }
    Ok(())
}

/// Reads a file within the bounds of size.
fn read_file(at: &Path, left: &mut u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let bound = LARGEST_FILE.min(*left);
    fs::File::open(at)?.take(bound + 1).read_to_end(&mut content)?;
    let size = content.len() as u64;
    if size > bound {
        return Err(invalid(at, "is larger than a catalogue may be (4 MiB a file, 32 MiB in all)"));
    }
    *left -= size;
    Ok(content)
}

/// The error of a path, with the reason.
fn invalid(at: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{} {why}", at.display()))
}

/// Whether a path names a file inside a catalogue: parts with slashes between, none hidden or leading elsewhere.
fn is_inside(path: &str) -> bool {
    let plain = |c: char| !c.is_control() && c != '\\' && c != ':';
    path.chars().all(plain) && path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

/// Whether a file by its name is one that catalogues have.
pub(crate) fn is_of_a_catalogue(name: &[u8]) -> bool {
    [".toml", ".csv", WORKBOOK].iter().any(|end| name.ends_with(end.as_bytes()))
}

/// A content with LF line endings and without a byte order mark; a workbook's bytes as they are.
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

/// A path with its content, and the bytes behind them.
type Entry<'b> = ((String, Vec<u8>), &'b [u8]);

/// The hash that names a catalogue version, of its files in canonical form.
pub fn hash_of(canonical: &[u8]) -> CatalogueHash {
    let digest = digest::digest(&digest::SHA256, canonical);
    CatalogueHash(digest.as_ref().try_into().expect("SHA-256 is 32 bytes"))
}

/// Reads one file of the canonical form.
fn read_entry(bytes: &[u8]) -> Option<Entry<'_>> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (path_size, size) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
    let (path, rest) = read_part(&bytes[end + 1..], path_size.parse().ok()?)?;
    let (content, rest) = read_part(rest, size.parse().ok()?)?;
    Some(((String::from_utf8(path.to_vec()).ok()?, content.to_vec()), rest))
}

/// The first bytes and the rest after the line end behind them.
fn read_part(bytes: &[u8], size: usize) -> Option<(&[u8], &[u8])> {
    let (part, rest) = bytes.split_at_checked(size)?;
    Some((part, rest.strip_prefix(b"\n")?))
}
