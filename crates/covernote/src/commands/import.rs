//! `covernote import`: health proposals or policies from a file, all of it or nothing.

use std::collections::HashMap;
use std::fs::File;
use std::hash::Hash;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use domain::health_policy::HealthPolicy;
use domain::health_proposal::{HealthApplication, HealthProposal, ProposalOrigin};
use domain::id::PartnerId;
use serde_json::json;
use service::clock::Clock;
use service::storage::StorageError;
use service::storage::{ImportEnd, Records};
use service::{Faults, Service};
use web::import::Context;

use super::on_store;
use crate::cli::{Import, ImportWhat};
use crate::failure::{Failure, Result};
use crate::wiring::SystemClock;
use crate::{output, progress};

/// Longest line, in bytes.
const LONGEST_LINE: u64 = 1024 * 1024;

const TAKEN: &str = "An id or number that is taken, or quote and variant of another active proposal, was found; \
                     its own is wanted.";
const TOO_LONG: &str = "A line of more than 1 MiB was found; a shorter record is wanted.";

pub(super) fn run(Import { what, flags }: Import) -> Result<()> {
    match what {
        ImportWhat::Proposals { file, json } => on_store(&flags, async |service| {
            let kept = import::<HealthProposal>(&service, Lines::open(&file)?).await?;
            report_imported(["proposal", "proposals"], kept, json);
            Ok(())
        }),
        ImportWhat::Policies { file, json } => on_store(&flags, async |service| {
            let kept = import::<HealthPolicy>(&service, Lines::open(&file)?).await?;
            report_imported(["policy", "policies"], kept, json);
            Ok(())
        }),
    }
}

fn report_imported([one, many]: [&str; 2], kept: u64, as_json: bool) {
    if as_json {
        output::json(&json!({ "imported": kept, "what": many }));
    }
    output::message(&format!("{kept} {} imported", if kept == 1 { one } else { many }));
}

/// Imports the built-in records that the store does not have yet: all or none. Returns the number of imported records.
///
/// # Errors
/// [`Failure`] of the store, or of the records.
pub(crate) async fn import_text(
    service: &Service,
    proposals: &'static str,
    policies: &'static str,
) -> Result<u64> {
    let mut kept = 0;
    for end in [
        end_of::<HealthProposal>(service, &Lines::of_text(proposals)).await?,
        end_of::<HealthPolicy>(service, &Lines::of_text(policies)).await?,
    ] {
        if let ImportEnd::Kept(number) = end {
            kept += number;
        }
    }
    Ok(kept)
}

/// A record that a line is parsed into.
trait Record: Sized + Send + 'static {
    fn read(line: &[u8], context: &Context<'_>) -> Result<Self, Faults>;

    /// Its unique keys with their names: its id, and its number if it has one.
    fn keys(&self) -> Vec<(&'static str, PartnerId, String)>;

    async fn keep(service: &Service, records: Records<Self>) -> Result<ImportEnd, service::Error>;
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

    async fn keep(service: &Service, records: Records<Self>) -> Result<ImportEnd, service::Error> {
        service.imports.proposals(records).await
    }
}

impl Record for HealthPolicy {
    fn read(line: &[u8], context: &Context<'_>) -> Result<Self, Faults> {
        web::import::policy(line, context)
    }

    fn keys(&self) -> Vec<(&'static str, PartnerId, String)> {
        vec![
            ("policy_id", self.partner, self.id.to_string()),
            ("policy_number", self.partner, self.number.to_string()),
        ]
    }

    async fn keep(service: &Service, records: Records<Self>) -> Result<ImportEnd, service::Error> {
        service.imports.policies(records).await
    }
}

async fn import<R: Record>(service: &Service, lines: Lines) -> Result<u64> {
    let end = end_of::<R>(service, &lines).await?;
    // A book is large: it is brought out of the write-ahead log into its place. Where a reader is in the way, the server
    // does that later.
    let _ = service.installation.close().await;
    match end {
        ImportEnd::Kept(kept) => Ok(kept),
        ImportEnd::Taken(places) => {
            let mut faults = FaultReporter::of(&lines);
            let mut places = places.into_iter().peekable();
            // The places of records are counted without blank lines.
            for (place, line) in (0..).zip(lines.read()?) {
                let line = line?;
                if places.next_if_eq(&place).is_some() {
                    faults.report(line.number, &[("line", TAKEN)]);
                }
            }
            Err(faults.failure())
        }
    }
}

/// Judges every line, then keeps them all in one transaction. Nothing is kept where a line has a fault.
async fn end_of<R: Record>(service: &Service, lines: &Lines) -> Result<ImportEnd> {
    let partner = |named: &str| service.shared.directory.partner_named(named);
    let now = SystemClock.now();
    let context = Context { partner: &partner, now };
    validate::<R>(lines, &context)?;
    let partners = service.partners.all().await?;
    let partners: HashMap<String, PartnerId> = partners
        .iter()
        .flat_map(|record| {
            let partner = &record.partner;
            [(partner.client_id.clone(), partner.id), (partner.id.to_string(), partner.id)]
        })
        .collect();
    let bar = progress::bar(lines.size, "storing");
    let records = lines.read()?.map(move |line| {
        let refused = |why: String| StorageError::Refused(why);
        let line = line.map_err(|fault| refused(fault.to_string()))?;
        bar.inc(line.length);
        let partner = |named: &str| partners.get(named).copied();
        let context = Context { partner: &partner, now };
        // Every line was valid in the first pass: a faulty line has changed since then.
        let changed = || refused(format!("line {} of the file changed during the import", line.number));
        R::read(line.bytes.as_deref().ok_or_else(changed)?, &context).map_err(|_| changed())
    });
    Ok(R::keep(service, Box::new(records)).await?)
}

/// Parses every line, and reports every fault with its line.
fn validate<R: Record>(lines: &Lines, context: &Context<'_>) -> Result<()> {
    let mut faults = FaultReporter::of(lines);
    let mut seen = Seen::default();
    let bar = progress::bar(lines.size, "checking");
    for line in lines.read()? {
        let line = line?;
        bar.inc(line.length);
        let read = match &line.bytes {
            Some(bytes) => R::read(bytes, context),
            None => Err(Faults::one("line", TOO_LONG)),
        };
        match read {
            Ok(record) => {
                for (name, of, key) in record.keys() {
                    if let Some(first) = seen.note((name, of, key), line.number) {
                        let message =
                            format!("The same as on line {first} was found; another one is wanted.");
                        bar.suspend(|| faults.report(line.number, &[(name, &message)]));
                    }
                }
            }
            Err(found) => {
                let found: Vec<(&str, &str)> =
                    found.0.iter().map(|fault| (fault.field.as_str(), fault.message.as_str())).collect();
                bar.suspend(|| faults.report(line.number, &found));
            }
        }
    }
    bar.finish_and_clear();
    if faults.lines == 0 { Ok(()) } else { Err(faults.failure()) }
}

/// The keys so far, by their hash: a million keys take some 70 MB.
#[derive(Default)]
struct Seen {
    lines: HashMap<[u8; 16], u64>,
}

impl Seen {
    /// Adds a key. Returns the earlier line that has the same key, if any.
    fn note(&mut self, key: impl Hash, line: u64) -> Option<u64> {
        use std::hash::{DefaultHasher, Hasher};
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

/// Prints each fault at once, so that a list of any length takes no memory.
struct FaultReporter<'a> {
    file: &'a str,
    lines: u64,
    last: u64,
}

impl<'a> FaultReporter<'a> {
    fn of(lines: &'a Lines) -> Self {
        FaultReporter { file: &lines.name, lines: 0, last: 0 }
    }

    fn report(&mut self, line: u64, faults: &[(&str, &str)]) {
        self.lines += u64::from(line != self.last);
        self.last = line;
        for (field, message) in faults {
            output::message(&format!("{}:{line}: {field}: {message}", self.file));
        }
    }

    fn failure(self) -> Failure {
        let lines = if self.lines == 1 { "1 line".to_owned() } else { format!("{} lines", self.lines) };
        Failure::BadData(format!("{} has faults on {lines}; nothing was imported", self.file))
    }
}

/// A file of lines, which is read twice: once to check it, once to store it.
struct Lines {
    name: String,
    size: u64,
    from: Source,
}

enum Source {
    File(PathBuf),
    Text(&'static str),
}

/// A line that is not blank.
struct NumberedLine {
    number: u64,
    /// Its bytes; `None` for a line that is too long.
    bytes: Option<Vec<u8>>,
    /// Its length in the file, in bytes.
    length: u64,
}

impl Lines {
    fn open(file: &Path) -> Result<Self> {
        let name = file.display().to_string();
        let metadata =
            std::fs::metadata(file).map_err(|cause| Failure::BadData(format!("{name}: {cause}")))?;
        if !metadata.is_file() {
            return Err(Failure::BadData(format!(
                "{name} is not a file: the import reads it twice, so it cannot be a pipe"
            )));
        }
        Ok(Lines { name, size: metadata.len(), from: Source::File(file.to_owned()) })
    }

    fn of_text(text: &'static str) -> Self {
        Lines { name: "(built in)".into(), size: text.len() as u64, from: Source::Text(text) }
    }

    fn read(&self) -> Result<impl Iterator<Item = Result<NumberedLine>> + Send + use<>> {
        let name = self.name.clone();
        let mut from: Box<dyn BufRead + Send> = match &self.from {
            Source::Text(text) => Box::new(text.as_bytes()),
            Source::File(path) => {
                let file = File::open(path).map_err(|cause| Failure::BadData(format!("{name}: {cause}")))?;
                Box::new(BufReader::with_capacity(1024 * 1024, file))
            }
        };
        let mut number = 0;
        Ok(std::iter::from_fn(move || {
            loop {
                number += 1;
                match next_line(&mut from, number) {
                    Ok(Some(line))
                        if line.bytes.as_ref().is_some_and(|bytes| bytes.trim_ascii().is_empty()) => {}
                    Ok(line) => return line.map(Ok),
                    Err(cause) => return Some(Err(Failure::BadData(format!("{name}:{number}: {cause}")))),
                }
            }
        }))
    }
}

/// The next line, blank or not; `None` at the end.
fn next_line(from: &mut impl BufRead, number: u64) -> std::io::Result<Option<NumberedLine>> {
    let mut bytes = Vec::new();
    let mut length = from.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes)? as u64;
    if length == 0 {
        return Ok(None);
    }
    if length > LONGEST_LINE {
        if bytes.last() != Some(&b'\n') {
            length += from.skip_until(b'\n')? as u64;
        }
        return Ok(Some(NumberedLine { number, bytes: None, length }));
    }
    if number == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    Ok(Some(NumberedLine { number, bytes: Some(bytes), length }))
}
