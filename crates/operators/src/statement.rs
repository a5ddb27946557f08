//! Actions on the statements of a month (D85 to D87).

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use axum::body::{Body, Bytes};
use clap::{Args, ValueEnum};
use csv::{ReaderBuilder, StringRecord, Trim};
use domain::money::Rupees;
use domain::statement::{FileFormat, Month, Recipient, Statement, StatementFile};
use domain::text::one_line;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::statement::{AnswerLine, DraftFile, download};
use service::storage::statements::RowAnswer;
use service::{Error, Service};
use utoipa::ToSchema;
use web::api::shown;
use web::error::Problem;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::act::{About, Act, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{PaymentMade, bad, read};
use crate::progress::Progress;

/// Most characters of the reason with which an insurer rejects a row.
const LONGEST_REASON: usize = 200;

/// Bytes of an archive sent at once.
const AT_ONCE: usize = 64 * 1024;

verbs! {
    /// Verbs of `covernote statement`
    StatementVerb {
        Make(MakeStatements),
        Draft(DraftStatements),
        List(ListStatements),
        Show(ShowStatement),
        Export(ExportStatement),
        Paid(PayStatement),
        Answer(AnswerStatement),
    }
}

/// Make the statements of a past month and close the month; a closed month stays unchanged
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeStatements {
    /// Month of the statements, YYYY-MM
    #[arg(long, value_name = "MONTH")]
    month: String,
}

impl Act for MakeStatements {
    const ABOUT: About = post("statement.make", "/statements", &[Role::Accounts]).irreversible().in_steps();

    async fn run(self, on: &On) -> Result<Answer> {
        let month: Month = read("--month", &self.month)?;
        let mut progress = Progress::of(MakeStatements::ABOUT.name);
        let made = on.service.statements.make(month, &mut |rows| progress.tell(rows, None)).await?;
        let mut answer = list(&made.statements);
        answer.json = json!({
            "month": month.to_string(), "closed_at": made.closed_at.to_string(), "is_new": made.is_new,
            "statements": made.statements.iter().map(to_json).collect::<Vec<_>>(),
        });
        let how = if made.is_new { "is closed" } else { "was already closed" };
        answer.message(format!("{month} {how}, with {} statements", made.statements.len()));
        tell_without_licence(&on.service, &mut answer).await?;
        Ok(answer)
    }
}

/// Write drafts of the statements of a month into a folder; nothing is stored, and the month stays open
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftStatements {
    /// Month of the statements, YYYY-MM
    #[arg(long, value_name = "MONTH")]
    month: String,
    /// Folder to write into; created if missing
    #[arg(long, value_name = "FOLDER")]
    #[serde(skip)]
    out: PathBuf,
}

impl Act for DraftStatements {
    const ABOUT: About = get("statement.draft", "/drafts/{month}", &[Role::Accounts]).giving_file();

    fn folder(&self) -> Option<&Path> {
        Some(&self.out)
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let month: Month = read("--month", &self.month)?;
        let mut progress = Progress::of(DraftStatements::ABOUT.name);
        let mut archive = ZipWriter::new(tempfile::tempfile().map_err(broken)?);
        let mut take = |draft: DraftFile<'_>| {
            let written = archive.start_file(draft.name, SimpleFileOptions::default().large_file(true));
            let written = written.map_err(io::Error::from).and_then(|()| io::copy(draft.file, &mut archive));
            written.map(drop).map_err(|cause| Error::Internal(format!("a draft cannot be written: {cause}")))
        };
        on.service.statements.draft(month, &mut |rows| progress.tell(rows, None), &mut take).await?;
        let mut file = archive.finish().map_err(io::Error::from).map_err(broken)?;
        let bytes = file.seek(SeekFrom::End(0)).map_err(broken)?;
        file.rewind().map_err(broken)?;
        Ok(Answer::file("application/zip", Some(bytes), Body::from_stream(stream::iter(Parts(file)))))
    }
}

/// A file that is read and sent in parts.
struct Parts(File);

impl Iterator for Parts {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut part = Vec::with_capacity(AT_ONCE);
        match (&self.0).take(AT_ONCE as u64).read_to_end(&mut part) {
            Ok(0) => None,
            Ok(_) => Some(Ok(part.into())),
            Err(cause) => Some(Err(cause)),
        }
    }
}

fn broken(cause: io::Error) -> Problem {
    Problem::unexpected(format!("the archive cannot be written: {cause}"))
}

/// List statements with their numbers and totals
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListStatements {
    /// Only statements of this month, YYYY-MM
    #[arg(long, value_name = "MONTH")]
    month: Option<String>,
    /// Most statements to list
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[serde(default = "thousand")]
    most: usize,
}

const fn thousand() -> usize {
    1000
}

impl Act for ListStatements {
    const ABOUT: About = get("statement.list", "/statements", &[Role::Read, Role::Accounts]);

    async fn run(self, on: &On) -> Result<Answer> {
        let month = self.month.as_deref().map(|text| read("--month", text)).transpose()?;
        Ok(list(&on.service.statements.of_months(month, self.most).await?))
    }
}

/// Show a statement with its files and the insurer's answer
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowStatement {
    /// Number of the statement, such as PB-202611-0001
    number: String,
}

impl Act for ShowStatement {
    const ABOUT: About = get("statement.show", "/statements/{number}", &[Role::Read, Role::Accounts]);

    async fn run(self, on: &On) -> Result<Answer> {
        let statement = on.service.statements.numbered(&self.number).await?;
        let answers = on.service.statements.answers(&statement).await?;
        Ok(show(&statement, &answers))
    }
}

/// Write a file of a statement
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportStatement {
    /// Number of the statement, such as PB-202611-0001
    number: String,
    /// Format of the file
    #[arg(long, value_enum, default_value_t = StatementFormat::Xlsx)]
    #[serde(default)]
    format: StatementFormat,
    /// File to write; it must not exist
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    out: PathBuf,
}

impl Act for ExportStatement {
    const ABOUT: About =
        get("statement.export", "/statements/{number}/file", &[Role::Read, Role::Accounts]).giving_file();

    fn out(&self) -> Option<&Path> {
        Some(&self.out)
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let format = match self.format {
            StatementFormat::Csv => FileFormat::Csv,
            StatementFormat::Xlsx => FileFormat::Xlsx,
        };
        let found = download(on.service.statements.numbered(&self.number).await?, format)?;
        let (bytes, service) = (found.file.bytes, on.service.clone());
        // In parts: the file of a large book of business is large.
        let parts = stream::unfold((found, 0), move |(found, number)| {
            let service = service.clone();
            async move {
                let part = service.statements.part(&found.statement, format, number).await.transpose()?;
                let part = part.map_err(|fault| io::Error::other(fault.to_string()));
                Some((part, (found, number + 1)))
            }
        });
        Ok(Answer::file("application/octet-stream", Some(bytes), Body::from_stream(parts)))
    }
}

/// Record your payment of a partner's commission statement
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct PayStatement {
    /// Number of the statement, such as CS-202611-0001
    number: String,
    /// Payment of the statement
    #[command(flatten)]
    #[serde(flatten)]
    payment: PaymentMade,
}

impl Act for PayStatement {
    const ABOUT: About =
        post("statement.paid", "/statements/{number}/payment", &[Role::Accounts]).irreversible();

    async fn run(self, on: &On) -> Result<Answer> {
        let number = &self.number;
        let (reference, paid_on, amount) = self.payment.read(on.service.policies.today())?;
        let statement = on.service.statements.paid(number, reference, paid_on, amount).await?;
        let paid = statement.payable().grouped_with_paise();
        Ok(Answer::of(to_json(&statement)).saying(format!("{number}: {paid} was paid on {paid_on}")))
    }
}

/// Import an insurer's answer to a premium bordereau: the whole file or nothing
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerStatement {
    /// Number of the bordereau, such as PB-202611-0001
    number: String,
    /// CSV file with the columns row_id and status (accepted or rejected); insurer_policy_no and reason are
    /// optional
    #[serde(skip)]
    file: PathBuf,
    /// Content of the CSV file
    #[arg(skip)]
    rows: String,
}

impl Act for AnswerStatement {
    // An insurer's answer to a bordereau has up to half a million rows.
    const ABOUT: About =
        post("statement.answer", "/statements/{number}/answer", &[Role::Accounts]).taking_megabytes(64);

    fn read_files(&mut self) -> Result<(), String> {
        let read = std::fs::read_to_string(&self.file);
        self.rows = read.map_err(|cause| format!("{} cannot be read: {cause}", self.file.display()))?;
        Ok(())
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let number = &self.number;
        let answered = on.service.statements.answer(number, &read_answer(&self.rows)?).await?;
        let json = json!({
            "number": number, "accepted": answered.accepted, "rejected": answered.rejected,
            "numbered": answered.numbered, "is_twin": answered.is_twin,
        });
        let twin = if answered.is_twin { "; the same answer was already imported" } else { "" };
        Ok(Answer::of(json).saying(format!(
            "{number}: {} rows accepted, {} rejected, {} policies now have the insurer's number{twin}",
            answered.accepted, answered.rejected, answered.numbered
        )))
    }
}

/// Adds a message about partners that earn no commission because they have no licence.
async fn tell_without_licence(service: &Service, answer: &mut Answer) -> Result<()> {
    if let Some(sentence) = service.statements.without_licence().await? {
        answer.message(format!("partners that {sentence}"));
    }
    Ok(())
}

fn list(statements: &[Statement]) -> Answer {
    let json = json!({ "statements": statements.iter().map(to_json).collect::<Vec<_>>() });
    let row = |statement: &Statement| {
        let total = statement.totals.iter().find(|(name, _)| LEADING.contains(&name.as_str()));
        vec![
            statement.number.clone(),
            statement.month.to_string(),
            statement.kind.to_string(),
            recipient(statement.recipient),
            statement.subject.clone(),
            statement.rows.to_string(),
            total.map_or(String::new(), |(name, amount)| format!("{name} {}", amount.grouped_with_paise())),
            paid_or_owed(statement),
        ]
    };
    Answer::of(json).table(
        &["number", "month", "kind", "for", "master policy", "rows", "total", "paid"],
        statements.iter().map(row),
    )
}

/// Day on which the partner was paid, or `owed` if it is still to be paid.
fn paid_or_owed(statement: &Statement) -> String {
    match &statement.paid {
        Some(paid) => paid.paid_on.to_string(),
        None if statement.payable() > Rupees::ZERO => "owed".to_owned(),
        None => String::new(),
    }
}

/// Names of totals. A list of statements shows, for each statement, the first of these totals that it has.
const LEADING: &[&str] = &["payable", "total", "outstanding", "net_gst"];

fn recipient(of: Recipient) -> String {
    match of {
        Recipient::Insurer(insurer) => insurer.to_string(),
        Recipient::Partner(partner) => partner.to_string(),
        Recipient::Operator => "operator".to_owned(),
    }
}

fn to_json(statement: &Statement) -> Value {
    let (insurer, partner) = match statement.recipient {
        Recipient::Insurer(insurer) => (Some(insurer.to_string()), None),
        Recipient::Partner(partner) => (None, Some(partner.to_string())),
        Recipient::Operator => (None, None),
    };
    let file = |file: &StatementFile| json!({ "format": file.format.word(), "bytes": file.bytes, "sha256": hex(&file.hash) });
    let mut printed = shown::statement(statement);
    printed["insurer_id"] = insurer.into();
    printed["partner_id"] = partner.into();
    printed["master_policy_number"] = statement.subject.as_str().into();
    printed["files"] = statement.files.iter().map(file).collect();
    printed
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn show(statement: &Statement, answers: &[RowAnswer]) -> Answer {
    let rejected: Vec<&RowAnswer> = answers.iter().filter(|answer| !answer.accepted).collect();
    let answer_of = |answer: &RowAnswer| {
        json!({
            "row_id": answer.key.to_string(), "status": if answer.accepted { "accepted" } else { "rejected" },
            "insurer_policy_no": answer.number.as_ref().map(ToString::to_string), "reason": answer.reason,
        })
    };
    let mut printed = to_json(statement);
    printed["answers"] = answers.iter().map(answer_of).collect::<Vec<_>>().into();
    let mut to = Answer::of(printed);
    to.data(format!("{}  {} of {}", statement.number, statement.kind, statement.month));
    to.data(format!("for {}, {} rows", recipient(statement.recipient), statement.rows));
    for (name, amount) in &statement.totals {
        to.data(format!("  {name:<26} {}", amount.grouped_with_paise()));
    }
    for file in &statement.files {
        to.data(format!("  {}  {} bytes  SHA-256 {}", file.format, file.bytes, hex(&file.hash)));
    }
    if let Some(paid) = &statement.paid {
        to.data(format!("paid on {}, reference {}", paid.paid_on, paid.reference.as_str()));
    }
    if !answers.is_empty() {
        to.data(format!("{} rows answered, {} rejected", answers.len(), rejected.len()));
    }
    for answer in rejected {
        let reason = answer.reason.as_deref().unwrap_or("without a reason");
        to.data(format!("  {}  {reason}", answer.key));
    }
    to
}

/// Positions of the columns in an insurer's answer to a bordereau.
struct Columns {
    row_id: usize,
    status: usize,
    number: Option<usize>,
    reason: Option<usize>,
}

/// Parses an insurer's answer to a bordereau. The error lists every fault of the file.
fn read_answer(text: &str) -> Result<Vec<AnswerLine>> {
    let no_csv = |cause: csv::Error| bad(format!("the answer is not valid CSV: {cause}"));
    let text = text.trim_start_matches('\u{feff}');
    // Excel writes the list separator of its machine.
    let head = text.lines().next().unwrap_or_default();
    let delimiter = if head.contains(';') && !head.contains(',') { b';' } else { b',' };
    let mut reader =
        ReaderBuilder::new().trim(Trim::All).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let columns = columns_of(reader.headers().map_err(no_csv)?)
        .map_err(|missing| bad(format!("the answer: the column {missing} is missing")))?;
    let names = reader.headers().map_or(0, StringRecord::len);
    let mut lines_read = LinesRead { line: 1, bytes: 0 };
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record.map_err(no_csv)?;
        if record.iter().all(str::is_empty) {
            continue;
        }
        lines_read.reach(text, record.position());
        let line = lines_read.line;
        if record.iter().skip(names).any(|cell| !cell.is_empty()) {
            faults.push(format!("line {line}: it has more cells than the header; quote a text with commas"));
            continue;
        }
        match read_line(&columns, &record, line) {
            Ok(read) => lines.push(read),
            Err(fault) => faults.push(format!("line {line}: {fault}")),
        }
    }
    if lines.is_empty() && faults.is_empty() {
        faults.push("it has no rows".to_owned());
    }
    match faults.is_empty() {
        true => Ok(lines),
        false => Err(bad(format!("the answer: {}; nothing was imported", faults.join("; ")))),
    }
}

/// Line number of the current record. It is counted here, because the CSV reader counts one line too few
/// after CRLF.
struct LinesRead {
    line: u64,
    bytes: usize,
}

impl LinesRead {
    /// Advances the line number to the record at `position`.
    fn reach(&mut self, text: &str, position: Option<&csv::Position>) {
        let begins = position.map_or(self.bytes, |position| position.byte() as usize);
        let rest = text.get(begins..).unwrap_or_default();
        let record = begins + rest.len() - rest.trim_start_matches(['\r', '\n']).len();
        let passed = text.as_bytes().get(self.bytes..record).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.bytes = record;
    }
}

fn columns_of(names: &StringRecord) -> Result<Columns, &'static str> {
    let find = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    Ok(Columns {
        row_id: find("row_id").ok_or("row_id")?,
        status: find("status").ok_or("status")?,
        number: find("insurer_policy_no"),
        reason: find("reason"),
    })
}

fn read_line(columns: &Columns, record: &StringRecord, line: u64) -> Result<AnswerLine, String> {
    // A bordereau has digits as a formula, `="123"`. An answer may return the formula.
    let bare = |text: &'_ str| -> String {
        let digits = text.strip_prefix("=\"").and_then(|text| text.strip_suffix('"'));
        digits.unwrap_or(text).to_owned()
    };
    let cell = |column: usize| record.get(column).map(bare).unwrap_or_default();
    let filled = |column: Option<usize>| column.map(cell).filter(|text| !text.is_empty());
    let accepted = match cell(columns.status).to_ascii_lowercase().as_str() {
        "accepted" => true,
        "rejected" => false,
        other => return Err(format!("status: must be accepted or rejected, not {other:?}")),
    };
    let number = filled(columns.number)
        .map(|text| read("insurer_policy_no", &text))
        .transpose()
        .map_err(|fault| fault.detail().to_owned())?;
    let reason = filled(columns.reason).and_then(|text| one_line(&text, LONGEST_REASON));
    if !accepted && reason.is_none() {
        return Err("reason: must say why the row is rejected".to_owned());
    }
    Ok(AnswerLine { line, row_id: cell(columns.row_id), accepted, number, reason })
}

/// Format of a statement's file
#[derive(Debug, Clone, Copy, Default, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StatementFormat {
    /// Comma-separated values
    Csv,
    /// Excel workbook
    #[default]
    Xlsx,
}
