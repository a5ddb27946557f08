//! Sheet: the rows of one statement while its two files are written.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek};

use aws_lc_rs::digest::{Context, SHA256};
use domain::date::Timestamp;
use domain::id::StatementId;
use domain::money::Rupees;
use domain::statement::{FileFormat, Month, Recipient, Statement, StatementFile, StatementKind};
use spreadsheet::{Cell, CsvRows, Workbook};

use super::{StatementService, partner_of};
use crate::error::{Error, Result};
use crate::storage::CHUNK;
use crate::storage::statements::{MonthRun, PartPosition};

/// Key of a statement: a month has one statement for each key. Keys have the same order as the statements'
/// numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SheetKey {
    pub(super) kind: StatementKind,
    pub(super) recipient: Recipient,
    pub(super) subject: String,
}

/// Rows of a statement, in temporary files without a name, which disappear when the sheet is dropped.
pub(super) struct Sheet {
    id: StatementId,
    csv: CsvRows<BufWriter<File>>,
    book: Workbook,
    rows: u64,
    /// Totals by name, in the order of their first amounts.
    totals: Vec<(&'static str, Rupees)>,
}

impl Sheet {
    pub(super) fn begin<N: AsRef<str>>(
        id: StatementId,
        title: &str,
        columns: &[N],
        made: Timestamp,
    ) -> Result<Self> {
        let begun = || {
            let csv = CsvRows::begin(BufWriter::new(tempfile::tempfile()?), columns)?;
            Ok((csv, Workbook::begin(title, columns, made)?))
        };
        let (csv, book) = begun().map_err(no_room)?;
        Ok(Sheet { id, csv, book, rows: 0, totals: Vec::new() })
    }

    pub(super) fn add(&mut self, cells: &[Cell]) -> Result<()> {
        self.rows += 1;
        self.csv.add(cells).and_then(|()| self.book.add(cells)).map_err(no_room)
    }

    /// Adds an amount to the total of this name. Totals stay in the order of their first amounts.
    pub(super) fn count(&mut self, name: &'static str, amount: Rupees) {
        match self.totals.iter_mut().find(|(other, _)| *other == name) {
            Some((_, total)) => *total = *total + amount,
            None => self.totals.push((name, amount)),
        }
    }
}

/// Open sheets by the keys of their statements.
pub(super) type Sheets = BTreeMap<SheetKey, Sheet>;

pub struct DraftFile<'a> {
    pub name: String,
    /// File of the draft, positioned at its beginning. It has no name in the file system.
    pub file: &'a mut File,
}

/// Function that receives the files of a draft.
pub type TakeDraft<'a> = dyn FnMut(DraftFile<'_>) -> Result<()> + Send + Sync + 'a;

/// Where the statement files go.
pub(super) enum Destination<'a> {
    /// To the store, for the run that closes the month.
    Kept(MonthRun),
    /// To the caller, for a draft. Nothing is saved.
    Draft(Month, &'a mut TakeDraft<'a>),
    /// To memory, for the small statement of a test partner. The parts of its files are saved together with
    /// the statement.
    Test(Month, Vec<(PartPosition, Vec<u8>)>),
}

impl Destination<'_> {
    pub(super) fn month(&self) -> Month {
        match self {
            Destination::Kept(run) => run.month,
            Destination::Draft(month, _) | Destination::Test(month, _) => *month,
        }
    }
}

/// Name of a draft's file.
fn draft_name(month: Month, key: &SheetKey, format: FileFormat) -> String {
    let of = match key.recipient {
        Recipient::Insurer(insurer) => insurer.to_string(),
        Recipient::Partner(partner) => partner.to_string(),
        Recipient::Operator => "operator".to_owned(),
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let subject: String = key.subject.chars().map(plain).collect();
    let subject = if subject.is_empty() { subject } else { format!("-{subject}") };
    format!("draft-{month}-{}-{of}{subject}.{format}", key.kind)
}

impl StatementService {
    /// Ends a sheet: saves its files, and returns the statement without a number.
    pub(super) async fn finish_sheet(
        &self,
        to: &mut Destination<'_>,
        key: SheetKey,
        sheet: Sheet,
        made_at: Timestamp,
    ) -> Result<Statement> {
        let Sheet { id, csv, book, rows, totals } = sheet;
        let mut named: Vec<(String, Cell)> = vec![("rows".into(), Cell::Number(rows))];
        named.extend(totals.iter().map(|(name, total)| ((*name).to_owned(), Cell::Amount(*total))));
        let csv = csv.finish().and_then(|file| file.into_inner().map_err(io::IntoInnerError::into_error));
        let files = [(FileFormat::Csv, csv), (FileFormat::Xlsx, book.finish(&named))];
        let mut kept = Vec::new();
        for (format, file) in files {
            let mut file = file.map_err(no_room)?;
            file.rewind().map_err(no_room)?;
            let part = PartPosition { of: partner_of(key.recipient), statement: id, file: format, number: 0 };
            match to {
                Destination::Draft(month, take) => {
                    take(DraftFile { name: draft_name(*month, &key, format), file: &mut file })?;
                }
                Destination::Kept(_) | Destination::Test(..) => {
                    kept.push(self.keep_file(to, part, file).await?);
                }
            }
        }
        Ok(Statement {
            id,
            number: String::new(),
            month: to.month(),
            kind: key.kind,
            recipient: key.recipient,
            subject: key.subject,
            made_at,
            rows,
            totals: totals.into_iter().map(|(name, total)| (name.to_owned(), total)).collect(),
            files: kept,
            dues: Vec::new(),
            paid: None,
        })
    }

    /// Saves a statement's file in parts.
    async fn keep_file(
        &self,
        to: &mut Destination<'_>,
        mut part: PartPosition,
        mut file: File,
    ) -> Result<StatementFile> {
        let (mut hash, mut bytes) = (Context::new(&SHA256), 0);
        let mut buffer = Vec::with_capacity(CHUNK);
        loop {
            buffer.clear();
            (&mut file).take(CHUNK as u64).read_to_end(&mut buffer).map_err(no_room)?;
            if buffer.is_empty() {
                break;
            }
            hash.update(&buffer);
            bytes += buffer.len() as u64;
            match to {
                Destination::Kept(run) => {
                    let is_kept = self.shared.storage.add_statement_part(*run, part, &buffer).await?;
                    is_kept.then_some(()).ok_or_else(overtaken)?;
                }
                Destination::Test(_, parts) => parts.push((part, buffer.clone())),
                Destination::Draft(..) => {}
            }
            part.number += 1;
        }
        let hash = hash.finish().as_ref().try_into().expect("SHA-256 is 32 bytes");
        Ok(StatementFile { format: part.file, bytes, hash })
    }
}

/// Error if another run has begun to make the same statements meanwhile.
pub(super) fn overtaken() -> Error {
    Error::conflict(
        "Another run began to make the statements of this month meanwhile. This run closed nothing.".into(),
    )
}

fn no_room(cause: io::Error) -> Error {
    Error::Internal(format!("the rows of a statement cannot be written: {cause}"))
}
