//! Everything in a store looked at: pages, sealed bodies, and what must hold between records. One row at a time is held,
//! so that millions take no more memory than one.

mod claims;
mod counts;
mod events;
mod files;
mod policies;
mod premiums;
mod statements;
mod tags;
mod webhooks;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use domain::credit_life::{CreditLife, EmbeddedProposal};
use domain::date::Timestamp;
use domain::health_proposal::{Health, HealthProposal};
use domain::id::{Id, Kind, PartnerId, ProposalId, QuoteId, SessionId, Uuid, kind};
use domain::line::{LineOfBusiness, ProposalState};
use domain::proposal::Proposal;
use domain::quote::CatalogueHash;
use rusqlite::{Connection, Row};
use service::catalogue::hash_of;
use service::clock::{Clock, Random};
use service::keys::Key;
use service::storage::jobs::JobKind;
use service::storage::responses::IdempotencyKeyHash;
use service::storage::{Identified, StorageError};

use super::complaint;
use super::health_quote::with_outcomes;
use super::list::Listed;
use super::partner;
use super::row::{coded, id, instant};
use crate::rows::line::StoredLine;
use crate::rows::{
    embedded_quote, health_quote, id_bytes, journey, kept_response, moves, proposal, request_log, session,
};
use crate::seal::Seal;

/// Most faults that are listed; of more, only their number is.
const MOST_FAULTS: usize = 100;

/// Rows between two words of progress.
const OFTEN: u64 = 4096;

/// What a look at everything found.
#[derive(Debug, Default)]
pub struct Verified {
    /// Every table with how many rows were looked at.
    pub tables: Vec<(&'static str, u64)>,
    /// What is wrong, the first hundred.
    pub faults: Vec<Fault>,
    /// How many more faults there are.
    pub untold: u64,
}

impl Verified {
    /// How many faults there are in all.
    pub fn all_faults(&self) -> u64 {
        self.faults.len() as u64 + self.untold
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Table and record.
    pub record: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}", self.record, self.what)
    }
}

/// A look at one kind of thing.
type Pass = fn(&mut Look<'_>);

/// The passes in order. A pass that looks at a table of a later version of the schema says from which version on.
const PASSES: &[(i32, Pass)] = &[
    (1, pages),
    (1, plain_tables),
    (1, catalogues),
    (1, embedded_quotes),
    (1, health_quotes),
    (1, health_outcomes),
    (1, proposals),
    (1, moves),
    (1, tags::tags),
    (1, policies::policies),
    (1, policies::moves),
    (1, policies::replaced_certificates),
    (1, claims::claims),
    (1, claims::moves),
    (1, claims::papers),
    (1, statements::statements),
    (1, complaints),
    (1, events::events),
    (1, events::counts),
    (1, webhooks::endpoints),
    (1, webhooks::deliveries),
    (1, responses),
    (1, requests),
    (1, sessions),
    (1, journeys),
    (1, jobs),
    (1, counts::counts),
    (1, premiums::premiums),
    (1, premiums::receipts),
    (1, premiums::deposits),
    (1, premiums::ledger),
    (1, named_catalogues),
];

/// Looks at everything. What cannot be read is a fault like any other.
pub(super) fn look(
    from: &Connection,
    schema: i32,
    keys: &[Key],
    progress: &mut dyn FnMut(&str, u64),
) -> Verified {
    let seal = Seal::new(keys, Arc::new(NoClock), Arc::new(NoRandom));
    let mut look = Look { from, seal, progress, named: HashMap::new(), verified: Verified::default() };
    for (_, pass) in PASSES.iter().filter(|(since, _)| *since <= schema) {
        pass(&mut look);
    }
    look.verified
}

/// Nothing is sealed here.
struct NoRandom;

impl Random for NoRandom {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(0);
    }
}

/// And so no key is chosen by the time.
struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

struct Look<'a> {
    from: &'a Connection,
    seal: Seal,
    progress: &'a mut dyn FnMut(&str, u64),
    /// Every catalogue version that a body names, with the first one that does.
    named: HashMap<CatalogueHash, String>,
    verified: Verified,
}

/// What one row is found to be.
struct Found<'a> {
    from: &'a Connection,
    seal: &'a Seal,
    named: &'a mut HashMap<CatalogueHash, String>,
    record: &'a str,
    faults: Vec<String>,
}

impl Found<'_> {
    fn fault(&mut self, what: impl Into<String>) {
        self.faults.push(what.into());
    }

    /// Notes a fault where something must hold and does not.
    fn must(&mut self, holds: bool, what: &str) {
        if !holds {
            self.fault(what);
        }
    }

    /// What was read, or its fault noted.
    fn read<T>(&mut self, read: Result<T, StorageError>) -> Option<T> {
        read.map_err(|fault| self.fault(fault.into_why())).ok()
    }

    fn names(&mut self, catalogue: CatalogueHash) {
        self.named.entry(catalogue).or_insert_with(|| self.record.to_owned());
    }
}

impl Look<'_> {
    fn fault(&mut self, record: impl Into<String>, what: impl Into<String>) {
        if self.verified.faults.len() < MOST_FAULTS {
            self.verified.faults.push(Fault { record: record.into(), what: what.into() });
        } else {
            self.verified.untold += 1;
        }
    }

    /// Judges every row that a statement gives. `name` says which record a row is.
    fn rows<J>(
        &mut self,
        table: &'static str,
        statement: &str,
        name: fn(&Row<'_>) -> rusqlite::Result<String>,
        judge: J,
    ) where
        J: Fn(&Row<'_>, &mut Found<'_>) -> rusqlite::Result<()>,
    {
        let from = self.from;
        let mut seen = 0;
        let done = from.prepare(statement).and_then(|mut read| {
            let mut rows = read.query(())?;
            while let Some(row) = rows.next()? {
                self.row(table, &mut seen);
                let record = format!("{table} {}", name(row).unwrap_or_else(|_| format!("row {seen}")));
                let (seal, named) = (&self.seal, &mut self.named);
                let mut found = Found { from, seal, named, record: &record, faults: Vec::new() };
                if let Err(cause) = judge(row, &mut found) {
                    found.fault(format!("a column does not read: {cause}"));
                }
                for what in found.faults {
                    self.fault(record.clone(), what);
                }
            }
            Ok(())
        });
        self.end(table, seen, done);
    }

    fn row(&mut self, table: &str, seen: &mut u64) {
        if seen.is_multiple_of(OFTEN) {
            (self.progress)(table, *seen);
        }
        *seen += 1;
    }

    fn end(&mut self, table: &'static str, seen: u64, done: rusqlite::Result<()>) {
        if let Err(cause) = done {
            self.fault(table, format!("it cannot be read beyond row {seen}: {cause}"));
        }
        self.verified.tables.push((table, seen));
    }

    /// Lines that a pragma gives about what is wrong.
    fn pragma(&mut self, statement: &str, line: fn(&Row<'_>) -> rusqlite::Result<Option<String>>) {
        let from = self.from;
        let done = from.prepare(statement).and_then(|mut read| {
            let mut rows = read.query(())?;
            while let Some(row) = rows.next()? {
                if let Some(what) = line(row)? {
                    self.fault("the database", what);
                }
            }
            Ok(())
        });
        if let Err(cause) = done {
            self.fault("the database", cause.to_string());
        }
    }
}

/// The name of a record by the id in the first column.
fn named<K: Kind>(row: &Row<'_>) -> rusqlite::Result<String> {
    id::<K>(row, 0).map(|id: Id<K>| id.to_string())
}

/// The name of a record whose id has no prefix.
fn numbered(row: &Row<'_>) -> rusqlite::Result<String> {
    row.get::<_, [u8; 16]>(0).map(|bytes| Uuid::from_bytes(bytes).to_string())
}

/// The pages, indexes and references, as SQLite itself judges them.
fn pages(look: &mut Look<'_>) {
    (look.progress)("pages and indexes", 0);
    look.pragma("pragma integrity_check", |row| {
        row.get::<_, String>(0).map(|line| (line != "ok").then_some(line))
    });
    look.pragma("pragma foreign_key_check", |row| {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        Ok(Some(format!("a row of {table} belongs to none of {parent}")))
    });
}

/// Tables without sealed bodies, which the pages' own check covers; partners and their secrets must read as such.
fn plain_tables(look: &mut Look<'_>) {
    let mut counts = HashMap::new();
    for table in [
        "migrations",
        "revision",
        "facts",
        "keys",
        "tokens",
        "status_pages",
        "statement_months",
        "insurer_notices",
        "webhook_subscriptions",
        "calendars",
        "partners",
        "secrets",
    ] {
        let mut seen = 0;
        let count = format!("select count(*) from {table}");
        let done = look.from.query_row(&count, (), |row| row.get::<_, i64>(0));
        let done = done.map(|rows| seen = rows.unsigned_abs());
        look.end(table, seen, done);
        counts.insert(table, seen);
    }
    let records = match partner::all(look.from, &look.seal) {
        Ok(records) => records,
        Err(fault) => return look.fault("partners", fault.into_why()),
    };
    let secrets: usize = records.iter().map(|record| record.secrets.len()).sum();
    for (table, good) in [("partners", records.len()), ("secrets", secrets)] {
        let changed = counts.get(table).map_or(0, |count| count.saturating_sub(good as u64));
        if changed > 0 {
            look.fault(table, format!("{changed} of them were changed without the keyring"));
        }
    }
}

fn complaints(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| id::<kind::Complaint>(row, 1).map(|id| id.to_string());
    look.rows("complaints", include_str!("../../sql/verify/complaints.sql"), name, |row, found| {
        found.read(complaint::columns(row)?.open(found.seal));
        Ok(())
    });
}

fn requests(look: &mut Look<'_>) {
    look.rows("request_log", include_str!("../../sql/verify/request_log.sql"), numbered, |row, found| {
        let (batch, of, body): ([u8; 16], PartnerId, Vec<u8>) = (row.get(0)?, id(row, 1)?, row.get(2)?);
        found.read(request_log::open(found.seal, of, Uuid::from_bytes(batch), &body));
        Ok(())
    });
}

fn catalogues(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| row.get(0).map(|hash| CatalogueHash(hash).to_string());
    look.rows("catalogues", include_str!("../../sql/verify/catalogues.sql"), name, |row, found| {
        let (hash, files): ([u8; 32], Vec<u8>) = (row.get(0)?, row.get(1)?);
        found.must(hash_of(&files) == CatalogueHash(hash), "its files are not those that it was named by");
        Ok(())
    });
}

fn embedded_quotes(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/embedded_quotes.sql");
    look.rows("embedded_quotes", statement, named::<kind::Quote>, |row, found| {
        let (quote, sealed, of): (QuoteId, Vec<u8>, PartnerId) = (id(row, 0)?, row.get(1)?, id(row, 2)?);
        if let Some(quote) = found.read(embedded_quote::open(found.seal, of, quote, &sealed)) {
            found.names(quote.catalogue);
        }
        Ok(())
    });
}

fn proposals(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/proposals.sql");
    look.rows("proposals", statement, named::<kind::Proposal>, |row, found| match coded(row, 9)? {
        LineOfBusiness::CreditLife => judge_proposal(row, found, |proposal: EmbeddedProposal| {
            Some(proposal.application.quoted.catalogue)
        }),
        LineOfBusiness::Health => judge_proposal(row, found, |proposal: HealthProposal| {
            proposal.application.journey().map(|made| made.chosen.catalogue)
        }),
    });
}

fn judge_proposal<L: StoredLine>(
    row: &Row<'_>,
    found: &mut Found<'_>,
    catalogue: fn(Proposal<L>) -> Option<CatalogueHash>,
) -> rusqlite::Result<()> {
    let (of, has_policy): (PartnerId, bool) = (id(row, 8)?, row.get(10)?);
    let status: i16 = row.get(3)?;
    let columns = proposal::Found::columns(row)?;
    let Some(proposal) = found.read(columns.open::<L>(found.seal, of)) else { return Ok(()) };
    let word = proposal.status.word();
    let is_issued = proposal.status == L::Status::ISSUED;
    let kind = Identified::Proposal(L::LINE);
    found.must_be_found_by(of, kind, proposal.id, &proposal.identifiers())?;
    let catalogue = catalogue(proposal);
    match is_issued {
        // The policy of an imported one is imported too, or not, and neither knows of the other.
        true if catalogue.is_some() => found.must(has_policy, &format!("it is {word} and has no policy")),
        _ => found.must(!has_policy, &format!("it is {word} and has a policy")),
    }
    if let Some(catalogue) = catalogue {
        found.names(catalogue);
    }
    found.must(row.get::<_, Option<i16>>(11)? == Some(status), "its last move led elsewhere, or it has none");
    Ok(())
}

fn moves(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/moves.sql");
    look.rows("moves", statement, named::<kind::Proposal>, |row, found| {
        let (proposal, of, line): (ProposalId, PartnerId, i16) = (id(row, 0)?, id(row, 1)?, row.get(2)?);
        found.must(
            row.get::<_, Option<i16>>(8)? == Some(line),
            "it is a move of a proposal that is not there, or of another line",
        );
        let made = moves::Found {
            at: instant(row, 3)?,
            by: coded(row, 4)?,
            from: row.get(5)?,
            to: row.get(6)?,
            reason: row.get(7)?,
        };
        let read = match coded(row, 2)? {
            LineOfBusiness::CreditLife => made.open::<CreditLife>(found.seal, of, proposal).map(|_| ()),
            LineOfBusiness::Health => made.open::<Health>(found.seal, of, proposal).map(|_| ()),
        };
        found.read(read);
        Ok(())
    });
}

fn responses(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| {
        let key: [u8; 32] = row.get(1)?;
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("{} of {}", key, named::<kind::Partner>(row)?))
    };
    look.rows("kept_responses", include_str!("../../sql/verify/kept_responses.sql"), name, |row, found| {
        let (of, key): (PartnerId, [u8; 32]) = (id(row, 0)?, row.get(1)?);
        let (kept_at, sealed): (_, Vec<u8>) = (instant(row, 2)?, row.get(3)?);
        found.read(kept_response::open(found.seal, of, IdempotencyKeyHash(key), kept_at, &sealed));
        Ok(())
    });
}

fn health_quotes(look: &mut Look<'_>) {
    let from = look.from;
    let statement = include_str!("../../sql/verify/health_quotes.sql");
    look.rows("health_quotes", statement, named::<kind::Quote>, |row, found| {
        let (of, has_job): (PartnerId, bool) = (id(row, 4)?, row.get(5)?);
        let is_finished = row.get_ref(3)? != rusqlite::types::ValueRef::Null;
        let columns = health_quote::Found::columns(row)?;
        let quote = with_outcomes(from, of, columns).and_then(|columns| columns.open(found.seal, of));
        if let Some(quote) = found.read(quote) {
            found.names(quote.catalogue);
            found.must_be_found_by(of, Identified::HealthQuote, quote.id, &quote.identifiers())?;
        }
        // A job whose quote is finished is told where jobs are looked at.
        found.must(is_finished || has_job, "it is not finished and no job works on it");
        Ok(())
    });
}

fn health_outcomes(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/health_outcomes.sql");
    look.rows("health_outcomes", statement, named::<kind::Quote>, |row, found| {
        let (quote, ask, of): (QuoteId, u32, PartnerId) = (id(row, 0)?, row.get(1)?, id(row, 3)?);
        let sealed: Vec<u8> = row.get(2)?;
        found.read(health_quote::open_outcomes(found.seal, of, id_bytes(quote), ask as usize, &sealed));
        found.must(row.get(4)?, "its quote is not there, or finished");
        Ok(())
    });
}

fn sessions(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/sessions.sql");
    look.rows("sessions", statement, named::<kind::Session>, |row, found| {
        let (session, sealed, of): (SessionId, Vec<u8>, PartnerId) = (id(row, 0)?, row.get(2)?, id(row, 3)?);
        found.read(session::open(found.seal, of, session, instant(row, 1)?, &sealed));
        Ok(())
    });
}

fn journeys(look: &mut Look<'_>) {
    look.rows("journeys", include_str!("../../sql/verify/journeys.sql"), numbered, |row, found| {
        let uuid = |column| row.get::<_, [u8; 16]>(column).map(Uuid::from_bytes);
        let columns = journey::Found {
            partner: id(row, 3)?,
            id: uuid(0)?,
            token: uuid(4)?,
            seen_at: instant(row, 1)?,
            version: row.get(5)?,
            body: row.get(2)?,
        };
        found.read(columns.open(found.seal, row.get(6)?));
        Ok(())
    });
}

fn jobs(look: &mut Look<'_>) {
    look.rows("jobs", include_str!("../../sql/verify/jobs.sql"), numbered, |row, found| {
        let kind = coded::<JobKind>(row, 1)?;
        instant(row, 2)?;
        let has_record: bool = row.get(3)?;
        found.must(has_record, &format!("{}: what it is for is not there, or finished", kind.word()));
        Ok(())
    });
}

/// Every catalogue version that some body names is in the store.
fn named_catalogues(look: &mut Look<'_>) {
    let find = include_str!("../../sql/catalogues/read.sql");
    for (hash, record) in std::mem::take(&mut look.named) {
        let there = look.from.prepare(find).and_then(|mut find| find.exists([hash.0]));
        match there {
            Ok(true) => {}
            Ok(false) => look.fault(record, format!("catalogue version {hash} is not in the store")),
            Err(cause) => look.fault("catalogues", cause.to_string()),
        }
    }
}
