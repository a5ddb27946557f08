//! Import of health proposals or policies from a file with one JSON object on each line: all or nothing (D9,
//! D39).

use domain::policy::Policy;
use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use domain::health_proposal::{HealthApplication, HealthProposal, ProposalOrigin};
use domain::id::PartnerId;
use service::shared::directory::Directory;
use service::storage::{ImportEnd, Records, StorageError};
use service::{Error, Fault, Faults, Service};
use tokio::task::spawn_blocking;
use web::error::Problem;
use web::import::Context;

use crate::act::about::FileTaken;
use crate::act::answer::Done;
use crate::act::arguments::unread;
use crate::act::input::input;
use crate::act::progress::Progress;
use crate::act::shown::answer;
use crate::act::{About, Act, Needs, On, Result, post};

/// Longest line, in bytes.
const LONGEST_LINE: u64 = 1024 * 1024;

/// Most faults that are listed for one file.
const MOST_FAULTS: usize = 10_000;

const TAKEN: &str =
    "Duplicate: the store already has this id or number, or an active proposal for this quote and variant.";
const TOO_LONG: &str = "The line must have at most 1 MiB.";

/// The file of an import.
const LINES: FileTaken =
    FileTaken { media: "application/jsonl", value: "FILE.jsonl", help: "File to import" };

input! {
    /// Import health proposals, one JSON object on each line; docs/import.md describes the fields
    struct ImportProposals {}
}

impl Act for ImportProposals {
    const ABOUT: About =
        post("import.proposals", "/imports/proposals", &[]).needs(Needs::Store).taking_file(LINES);

    type Answer = Done<Imported>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        import::<HealthProposal>(on, ["proposal", "proposals"]).await
    }
}

input! {
    /// Import health policies, one JSON object on each line; docs/import.md describes the fields
    struct ImportPolicies {}
}

impl Act for ImportPolicies {
    const ABOUT: About =
        post("import.policies", "/imports/policies", &[]).needs(Needs::Store).taking_file(LINES);

    type Answer = Done<Imported>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        import::<Policy>(on, ["policy", "policies"]).await
    }
}

async fn import<R: Record>(on: &On, [one, many]: [&'static str; 2]) -> Result<Done<Imported>> {
    let lines = Lines(on.upload.clone().expect("the act takes a file"));
    let kept = match end_of::<R>(&on.service, &lines).await? {
        ImportEnd::Kept(kept) => kept,
        ImportEnd::Taken(places) => {
            let mut faults = LineFaults::default();
            let mut places = places.into_iter().peekable();
            // A place is the number of a record from 0, without blank lines.
            for (place, line) in (0..).zip(lines.read()) {
                let line = line.map_err(unread)?;
                if places.next_if_eq(&place).is_some() {
                    faults.add(line.number, "line", TAKEN);
                }
            }
            return Err(faults.problem());
        }
    };
    let noun = if kept == 1 { one } else { many };
    Ok(Done::of(Imported { imported: kept, what: many }).saying(format!("{kept} {noun} imported")))
}

answer! {
    /// What was imported
    struct Imported {
        /// Number of records
        imported: u64,
        /// Kind of records
        what: &'static str,
    }
}

/// Imports built-in proposals and policies. If the store already has one of the proposals, no proposal is
/// imported. The same applies to policies. Returns the number of imported records.
///
/// # Errors
/// If a record is invalid or cannot be stored: a sentence for the operator.
pub async fn import_text(service: &Service, proposals: &str, policies: &str) -> Result<u64, String> {
    let told = |problem: Problem| problem.cause.clone().unwrap_or_else(|| problem.detail().to_owned());
    let lines = |text: &str| Lines::of_text(text).map_err(|cause| cause.to_string());
    let mut kept = 0;
    for end in [
        end_of::<HealthProposal>(service, &lines(proposals)?).await.map_err(told)?,
        end_of::<Policy>(service, &lines(policies)?).await.map_err(told)?,
    ] {
        if let ImportEnd::Kept(number) = end {
            kept += number;
        }
    }
    Ok(kept)
}

/// A kind of record that can be imported. Each line of the file is parsed into one record.
trait Record: Sized + Send + 'static {
    fn read(line: &[u8], context: &Context<'_>) -> Result<Self, Faults>;

    /// Unique keys of the record with their names: its id, and its number or quote if it has one.
    fn keys(&self) -> Vec<(&'static str, PartnerId, String)>;

    async fn keep(service: &Service, records: Records<Self>) -> Result<ImportEnd, Error>;
}

impl Record for HealthProposal {
    fn read(line: &[u8], context: &Context<'_>) -> Result<Self, Faults> {
        web::import::proposal(line, context)
    }

    fn keys(&self) -> Vec<(&'static str, PartnerId, String)> {
        let id = ("proposal_id", self.partner, self.id.to_string());
        let HealthApplication { origin, .. } = &self.application;
        match origin {
            ProposalOrigin::Import(record) if self.status.is_active() => {
                let quoted = format!("{}\n{}", record.quote_id, record.plan.variant_id);
                vec![id, ("quote_id", self.partner, quoted)]
            }
            _ => vec![id],
        }
    }

    async fn keep(service: &Service, records: Records<Self>) -> Result<ImportEnd, Error> {
        service.imports.proposals(records).await
    }
}

impl Record for Policy {
    fn read(line: &[u8], context: &Context<'_>) -> Result<Self, Faults> {
        web::import::policy(line, context)
    }

    fn keys(&self) -> Vec<(&'static str, PartnerId, String)> {
        vec![
            ("policy_id", self.partner, self.id.to_string()),
            ("policy_number", self.partner, self.number.to_string()),
        ]
    }

    async fn keep(service: &Service, records: Records<Self>) -> Result<ImportEnd, Error> {
        service.imports.policies(records).await
    }
}

/// Checks every line, then stores all records in one transaction. If a line has a fault, no record is stored.
async fn end_of<R: Record>(service: &Service, lines: &Lines) -> Result<ImportEnd> {
    let (directory, now) = (service.shared.directory.clone(), service.installation.now());
    let partner = move |named: &str| Directory::partner_named(&directory, named);
    let judged = (lines.clone(), partner.clone());
    let judged = spawn_blocking(move || validate::<R>(&judged.0, &Context { partner: &judged.1, now })).await;
    judged.map_err(|fault| Problem::unexpected(fault.to_string()))??;
    let mut progress = Progress::of("import");
    let records = lines.read().map(move |line| {
        let refused = |why: String| StorageError::Refused(why);
        let line = line.map_err(|fault| refused(fault.to_string()))?;
        progress.tell(line.number, None);
        // Every line was valid in the first pass.
        let changed =
            || refused(format!("line {} of the import file changed during the import", line.number));
        let context = Context { partner: &partner, now };
        R::read(line.bytes.as_deref().ok_or_else(changed)?, &context).map_err(|_| changed())
    });
    Ok(R::keep(service, Box::new(records)).await?)
}

/// Parses every line. The error lists the faults of all lines.
fn validate<R: Record>(lines: &Lines, context: &Context<'_>) -> Result<()> {
    let mut faults = LineFaults::default();
    let mut seen = Seen::default();
    for line in lines.read() {
        let line = line.map_err(unread)?;
        let read = match &line.bytes {
            Some(bytes) => R::read(bytes, context),
            None => Err(Faults::one("line", TOO_LONG)),
        };
        match read {
            Ok(record) => {
                for (name, of, key) in record.keys() {
                    if let Some(first) = seen.note((name, of, key), line.number) {
                        let message = format!("Duplicate: line {first} has the same value.");
                        faults.add(line.number, name, &message);
                    }
                }
            }
            Err(found) => {
                found.0.iter().for_each(|fault| faults.add(line.number, &fault.field, &fault.message));
            }
        }
    }
    if faults.lines == 0 { Ok(()) } else { Err(faults.problem()) }
}

/// Hashes of the unique keys in the lines that were checked so far. A million keys take about 70 MB.
#[derive(Default)]
struct Seen {
    lines: HashMap<[u8; 16], u64>,
}

impl Seen {
    /// Adds a key. Returns the earlier line that has the same key, if any.
    fn note(&mut self, key: impl Hash, line: u64) -> Option<u64> {
        let mut halves = [0_u8; 16];
        for (salt, half) in halves.chunks_mut(8).enumerate() {
            let mut hasher = DefaultHasher::new();
            salt.hash(&mut hasher);
            key.hash(&mut hasher);
            half.copy_from_slice(&hasher.finish().to_be_bytes());
        }
        let first = *self.lines.entry(halves).or_insert(line);
        (first != line).then_some(first)
    }
}

/// Faults of a file. Only the first [`MOST_FAULTS`] are listed.
#[derive(Default)]
struct LineFaults {
    lines: u64,
    last: u64,
    all: u64,
    told: Vec<Fault>,
}

impl LineFaults {
    fn add(&mut self, line: u64, field: &str, message: &str) {
        self.lines += u64::from(line != self.last);
        self.last = line;
        self.all += 1;
        if self.told.len() < MOST_FAULTS {
            self.told.push(Fault { field: format!("line {line}, {field}"), message: message.to_owned() });
        }
    }

    fn problem(mut self) -> Problem {
        let lines =
            if self.lines == 1 { "1 line has".to_owned() } else { format!("{} lines have", self.lines) };
        let untold = match self.all - self.told.len() as u64 {
            0 => String::new(),
            untold => format!(", of which {untold} are not listed"),
        };
        let message = format!("{lines} faults{untold}; nothing was imported");
        self.told.push(Fault { field: "file".to_owned(), message });
        Error::Invalid(Faults(self.told)).into()
    }
}

/// A file of lines. It is read twice: to check it, and to store its records.
#[derive(Clone)]
struct Lines(Arc<File>);

/// A line that is not blank.
struct NumberedLine {
    number: u64,
    /// `None` if the line is too long.
    bytes: Option<Vec<u8>>,
}

/// Reads a file from its start, at its own position, even if other readers share the file.
struct FromStart(Arc<File>, u64);

impl Read for FromStart {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read_at(to, self.1)?;
        self.1 += read as u64;
        Ok(read)
    }
}

impl Lines {
    fn of_text(text: &str) -> io::Result<Self> {
        let mut file = tempfile::tempfile()?;
        file.write_all(text.as_bytes())?;
        Ok(Lines(Arc::new(file)))
    }

    fn read(&self) -> impl Iterator<Item = io::Result<NumberedLine>> + Send + use<> {
        let mut from = BufReader::with_capacity(1024 * 1024, FromStart(self.0.clone(), 0));
        let mut number = 0;
        std::iter::from_fn(move || {
            loop {
                number += 1;
                match next_line(&mut from, number).transpose()? {
                    Ok(line) if line.bytes.as_ref().is_some_and(|bytes| bytes.trim_ascii().is_empty()) => {}
                    read => return Some(read),
                }
            }
        })
    }
}

/// Reads the next line, blank or not. `None` at the end of the file.
fn next_line(from: &mut impl BufRead, number: u64) -> io::Result<Option<NumberedLine>> {
    let mut bytes = Vec::new();
    let length = from.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes)? as u64;
    if length == 0 {
        return Ok(None);
    }
    if length > LONGEST_LINE {
        if bytes.last() != Some(&b'\n') {
            from.skip_until(b'\n')?;
        }
        return Ok(Some(NumberedLine { number, bytes: None }));
    }
    if number == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    Ok(Some(NumberedLine { number, bytes: Some(bytes) }))
}
