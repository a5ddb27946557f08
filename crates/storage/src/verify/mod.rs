//! `covernote verify`: checks that every record can be decrypted with the keyring, keeps its rules, and has
//! the records to which it refers.
//!
//! It keeps only one row in memory at a time, so verifying a store of any size takes the same memory.
//!
//! Uses `audit`, `fields`, `keyring`, `opening`, `operation`, `postgres`, `records`, `seal`, `sqlite`.

mod claims;
mod counts;
mod events;
mod files;
mod moment;
mod policies;
pub(crate) mod postgres;
mod premiums;
mod proofs;
mod proposals;
mod quotes;
mod records;
pub(crate) mod sqlite;
mod statements;
mod tags;

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Display};
use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::{Id, Kind, Uuid};
use domain::money::Rupees;
use domain::quote::CatalogueHash;
use ports::clock::{Clock, Random};
use ports::keys::Key;
use ports::storage::Result;

use crate::fields::RowFields;
use crate::seal::Seal;
pub(crate) use moment::{EachRow, Moment};

/// Most faults that are listed. Further faults are only counted.
const MOST_FAULTS: usize = 100;

/// Number of rows between two reports of progress.
const OFTEN: u64 = 4096;

/// Callback that receives the name of the table, and how many of its rows were verified so far.
pub type Progress<'a> = &'a mut dyn FnMut(&str, u64);

/// The result of a verification.
#[derive(Debug, Default)]
pub struct Verified {
    /// Tables, each with how many of its rows were verified.
    pub tables: BTreeMap<&'static str, u64>,
    /// The first hundred faults.
    pub faults: Vec<Fault>,
    /// Number of faults that are not listed.
    pub untold: u64,
}

impl Verified {
    /// Number of all faults, listed or not.
    pub fn all_faults(&self) -> u64 {
        self.faults.len() as u64 + self.untold
    }

    /// Number of rows that were verified.
    pub fn rows(&self) -> u64 {
        self.tables.values().sum()
    }

    pub(crate) fn add(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        } else {
            self.untold += 1;
        }
    }
}

/// Fault that verification found: a rule that a record breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Table and id of the record, such as `policies pol_…`.
    pub record: String,
    /// Name of the broken rule, such as `state after the last status change`.
    pub rule: String,
    /// Value that the rule requires.
    pub expected: String,
    /// Value that the store has instead.
    pub found: String,
}

impl Fault {
    pub(crate) fn new(
        record: impl Into<String>,
        rule: impl Into<String>,
        expected: impl Display,
        found: impl Display,
    ) -> Self {
        let (expected, found) = (expected.to_string(), found.to_string());
        Fault { record: record.into(), rule: rule.into(), expected, found }
    }
}

impl Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { record, rule, expected, found } = self;
        write!(to, "{record}: {rule}: expected {expected}, found {found}")
    }
}

/// Which records to verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every record.
    Everything,
    /// Premiums, receipts, deposits and the ledger.
    Books,
}

/// Function that verifies one kind of record.
type Pass = fn(&mut Look<'_>);

const BOOKS: &[Pass] =
    &[premiums::premiums, premiums::receipts, premiums::payments, premiums::deposits, premiums::ledger];

const RECORDS: &[Pass] = &[
    records::plain_tables,
    proofs::months,
    proofs::calendars,
    proofs::withdrawn_consents,
    proofs::belonging,
    records::catalogues,
    quotes::embedded,
    quotes::health,
    quotes::health_outcomes,
    proposals::proposals,
    proposals::moves,
    tags::tags,
    policies::policies,
    policies::moves,
    policies::replaced_certificates,
    claims::claims,
    claims::moves,
    claims::papers,
    statements::statements,
    records::complaints,
    records::audit,
    records::team,
    records::approvals,
    records::work_items,
    records::holds,
    events::events,
    events::counts,
    events::endpoints,
    events::deliveries,
    records::responses,
    records::requests,
    records::sessions,
    records::journeys,
    records::jobs,
    counts::counts,
    // Must come last, because the other passes collect the names of catalogue versions.
    records::named_catalogues,
];

/// Verifies a store at one moment. A record that cannot be read is also a fault. `verified`: faults that the
/// engine itself found before.
pub(crate) fn verify(
    from: &dyn Moment,
    scope: Scope,
    (schema, keys): (i32, &[Key]),
    verified: Verified,
    progress: Progress<'_>,
) -> Verified {
    let seal = Seal::new(keys, Arc::new(NoClock), Arc::new(NoRandom));
    let mut look = Look { from, schema, seal, progress, named: HashMap::new(), verified };
    let records = if scope == Scope::Everything { RECORDS } else { &[] };
    for pass in records.iter().chain(BOOKS) {
        pass(&mut look);
    }
    look.verified
}

/// Random source that is never used, because verifying encrypts nothing.
struct NoRandom;

impl Random for NoRandom {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(0);
    }
}

/// Clock that is never needed, because verifying encrypts nothing.
struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

struct Look<'a> {
    from: &'a dyn Moment,
    /// Version of the store's schema. A backup may have an older one.
    schema: i32,
    seal: Seal,
    progress: Progress<'a>,
    /// Catalogue versions that records name, each with the first record that names it.
    named: HashMap<CatalogueHash, String>,
    verified: Verified,
}

/// Row that is being verified, with the faults found so far.
struct VerifiedRow<'a> {
    from: &'a dyn Moment,
    schema: i32,
    seal: &'a Seal,
    named: &'a mut HashMap<CatalogueHash, String>,
    record: String,
    faults: Vec<Fault>,
}

impl VerifiedRow<'_> {
    fn fault(&mut self, rule: &str, expected: impl Display, found: impl Display) {
        self.faults.push(Fault::new(self.record.clone(), rule, expected, found));
    }

    /// Notes a fault unless both values are the same.
    fn same<T: PartialEq + Display>(&mut self, rule: &str, expected: T, found: T) {
        if expected != found {
            self.fault(rule, expected, found);
        }
    }

    /// Notes a fault unless both values are the same or both are absent.
    fn same_or_none<T: PartialEq + Display>(&mut self, rule: &str, expected: Option<T>, found: Option<T>) {
        if expected != found {
            self.fault(rule, or_none(expected), or_none(found));
        }
    }

    /// Notes a fault unless both amounts, in paise, are the same.
    fn same_amount(&mut self, rule: &str, expected: i64, found: i64) {
        let amount = |paise| Rupees::from_paise(paise).grouped_with_paise();
        self.same(rule, amount(expected), amount(found));
    }

    /// Notes a fault if a related record is missing.
    fn there(&mut self, rule: &str, is_there: bool) {
        if !is_there {
            self.fault(rule, "a record", "none");
        }
    }

    /// Unwraps the result of a read. If the read failed, notes the fault and returns `None`.
    fn read<T>(&mut self, read: Result<T>) -> Option<T> {
        read.map_err(|fault| self.fault("content", "readable content", fault.into_why())).ok()
    }

    fn names(&mut self, catalogue: CatalogueHash) {
        self.named.entry(catalogue).or_insert_with(|| self.record.clone());
    }
}

fn or_none<T: Display>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

impl Look<'_> {
    /// Verifies every row of a statement with `judge`. `name` returns the name of a row's record.
    fn rows(
        &mut self,
        table: &'static str,
        statement: &str,
        name: impl Fn(RowFields<'_>) -> Result<String>,
        judge: impl Fn(RowFields<'_>, &mut VerifiedRow<'_>) -> Result<()>,
    ) {
        let Look { from, schema, seal, progress, named, verified, .. } = self;
        let (from, schema) = (*from, *schema);
        let mut seen = 0;
        let done = from.each(statement, &mut |row| {
            if u64::is_multiple_of(seen, OFTEN) {
                progress(table, seen);
            }
            seen += 1;
            let record = format!("{table} {}", name(row).unwrap_or_else(|_| format!("row {seen}")));
            let mut found = VerifiedRow { from, schema, seal, named, record, faults: Vec::new() };
            if let Err(fault) = judge(row, &mut found) {
                found.fault("columns", "readable values", fault.into_why());
            }
            found.faults.into_iter().for_each(|fault| verified.add(fault));
            Ok(())
        });
        self.end(table, seen, done);
    }

    /// Notes a fault for every row of a statement, because each of these rows lacks the record that `rule`
    /// names.
    fn without(
        &mut self,
        table: &str,
        rule: &str,
        statement: &str,
        name: impl Fn(RowFields<'_>) -> Result<String>,
    ) {
        let verified = &mut self.verified;
        let mut add = |record: String| verified.add(Fault::new(record, rule, "a record", "none"));
        let done = self.from.each(statement, &mut |row| {
            add(format!("{table} {}", name(row)?));
            Ok(())
        });
        if let Err(fault) = done {
            self.verified.add(Fault::new(table, rule, "readable rows", fault.into_why()));
        }
    }

    /// Adds to the number of rows that were verified in a table. If reading them failed, notes a fault.
    fn end(&mut self, table: &'static str, seen: u64, done: Result<()>) {
        if let Err(fault) = done {
            let found = format!("an error after row {seen}: {}", fault.into_why());
            self.verified.add(Fault::new(table, "rows", "readable rows", found));
        }
        *self.verified.tables.entry(table).or_default() += seen;
    }
}

/// Name of a record: its id in a column.
fn named<K: Kind>(column: &'static str) -> impl Fn(RowFields<'_>) -> Result<String> {
    move |row| row.named::<Id<K>>(column).map(|id| id.to_string())
}

/// Name of a record whose id has no prefix: the UUID in a column.
fn numbered(column: &'static str) -> impl Fn(RowFields<'_>) -> Result<String> {
    move |row| row.named::<Uuid>(column).map(|id| id.to_string())
}

/// Name of a record: the text in a column.
fn texted(column: &'static str) -> impl Fn(RowFields<'_>) -> Result<String> {
    move |row| row.named(column)
}
