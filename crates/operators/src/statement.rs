//! Actions on the statements of a month (D85 to D87).

use domain::vocabulary;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use axum::body::{Body, Bytes};
use domain::date::Timestamp;
use domain::id::{InsurerId, PartnerId};
use domain::money::Rupees;
use domain::policy::PolicyNumber;
use domain::statement::{FileFormat, Month, Recipient, Statement, StatementFile, StatementKind};
use domain::text::one_line;
use futures_util::stream;
use service::Error;
use service::statement::{AnswerLine, DraftFile, download};
use service::storage::statements::RowAnswer;
use spreadsheet::{CellFault, ReadRow, ReadTable};
use web::api::StatementSummary;
use web::error::Problem;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::act::about::FileTaken;
use crate::act::answer::{Done, Download};
use crate::act::arguments::{bad, read, unread};
use crate::act::fields::{PaymentMade, StatementName};
use crate::act::input::{input, texts};
use crate::act::listing::{Listed, PageAsked};
use crate::act::progress::Progress;
use crate::act::record::partner_name;
use crate::act::shown::{Api, answer};
use crate::act::{About, Act, Allowed, Needed, On, Out, Result, Role, get, post};

/// Most characters of the reason with which an insurer rejects a row.
const LONGEST_REASON: usize = 200;

/// Bytes of an archive sent at once.
const AT_ONCE: usize = 64 * 1024;

input! {
    /// Make the statements of a past month and close the month; a closed month stays unchanged
    struct MakeStatements {
        /// Month of the statements, YYYY-MM
        month: Month,
        /// Close the month although partners without a licence get no commission for it
        without_licence: bool,
    }
}

impl Act for MakeStatements {
    const ABOUT: About = post("statement.make", "/statements", &[Role::Accounts]).irreversible().in_steps();

    type Answer = Done<MonthClosed>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let needed = Needed::new(format!("close the month {}", self.month)).of(self.month, "");
        let without = on.service.statements.without_licence().await?;
        Ok(Some(without.into_iter().fold(needed, |needed, partners| needed.fact("partners", partners))))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let month = self.month;
        if let (false, Some(partners)) =
            (self.without_licence, on.service.statements.without_licence().await?)
        {
            return Err(bad(format!(
                "{month} would be closed for ever, but some partners {partners}. Add their licences, or give without_licence."
            )));
        }
        let mut progress = Progress::of(MakeStatements::ABOUT.name);
        let made = on.service.statements.make(month, &mut |rows| progress.tell(rows, None)).await?;
        let how = if made.is_new { "is closed" } else { "was already closed" };
        let note = format!("{month} {how}, with {} statements", made.statements.len());
        let statements = made.statements.iter().map(StatementOfRecipient::of).collect();
        let closed = MonthClosed { month, closed_at: made.closed_at, is_new: made.is_new, statements };
        Ok(Done::of(closed).saying(note))
    }
}

input! {
    /// Write drafts of the statements of a month into a folder; nothing is stored, and the month stays open
    struct DraftStatements {
        /// Month of the statements, YYYY-MM
        #[flag(long = "month")]
        month: Month,
    }
}

impl Act for DraftStatements {
    const ABOUT: About =
        get("statement.draft", "/drafts/{month}", &[Role::Accounts]).giving_file().writing(Out::Folder);

    type Answer = Download;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let month = self.month;
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
        Ok(Download::of("application/zip", Some(bytes), Body::from_stream(stream::iter(Parts(file)))))
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

input! {
    /// List statements with their numbers and totals
    struct ListStatements {
        /// Only statements of this month, YYYY-MM
        month: Option<Month>,
    } with {
        page: PageAsked,
    }
}

impl Act for ListStatements {
    const ABOUT: About = get("statement.list", "/statements", &[Role::Read, Role::Accounts]);

    type Answer = Done<Statements>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let found = on.service.statements.of_months(self.month, self.page.reach()).await?;
        let Listed { records, page } = self.page.of(found, |one| one.number.clone())?;
        let statements = records.iter().map(StatementOfRecipient::of).collect();
        Ok(Done::of(Statements { statements }).listing(page, records.len()))
    }
}

input! {
    /// Show a statement with its files and the insurer's answer
    struct ShowStatement {
        /// Number of the statement, such as PB-202611-0001
        number: StatementName,
    }
}

impl Act for ShowStatement {
    const ABOUT: About = get("statement.show", "/statements/{number}", &[Role::Read, Role::Accounts]);

    type Answer = Done<StatementInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let statement = on.service.statements.numbered(&self.number.0).await?;
        let answers = on.service.statements.answers(&statement).await?;
        Ok(Done::of(StatementInFull::of(&statement, &answers)))
    }
}

input! {
    /// Write a file of a statement
    struct ExportStatement {
        /// Number of the statement, such as PB-202611-0001
        number: StatementName,
        /// Format of the file
        format: StatementFormat = "xlsx",
    }
}

impl Act for ExportStatement {
    const ABOUT: About =
        get("statement.export", "/statements/{number}/file", &[Role::Read, Role::Accounts]).giving_file();

    type Answer = Download;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let format = match self.format {
            StatementFormat::Csv => FileFormat::Csv,
            StatementFormat::Xlsx => FileFormat::Xlsx,
        };
        let found = download(on.service.statements.numbered(&self.number.0).await?, format)?;
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
        Ok(Download::of("application/octet-stream", Some(bytes), Body::from_stream(parts)))
    }
}

input! {
    /// Record your payment of a partner's commission statement
    struct PayStatement {
        /// Number of the statement, such as CS-202611-0001
        number: StatementName,
    } with {
        payment: PaymentMade,
    }
}

impl Act for PayStatement {
    const ABOUT: About =
        post("statement.paid", "/statements/{number}/payment", &[Role::Accounts]).irreversible();

    type Answer = Done<StatementOfRecipient>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let statement = on.service.statements.numbered(record).await?;
        Ok(Allowed::if_so(statement.is_owed()))
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let statement = on.service.statements.numbered(&self.number.0).await?;
        let needed = on.money(Some(statement.payable()), format!("payment of {}", self.number.0)).await?;
        let payee = match statement.recipient {
            Recipient::Partner(partner) => partner_name(on, partner),
            Recipient::Insurer(insurer) => insurer.to_string(),
            Recipient::Operator => String::new(),
        };
        Ok(needed.map(|needed| {
            needed
                .of(&self.number.0, statement.paid.is_some())
                .fact("payee", payee)
                .fact("month", statement.month)
        }))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let number = &self.number.0;
        let (reference, paid_on, amount) = self.payment.made(on.service.policies.today());
        let statement = on.service.statements.paid(number, reference, paid_on, amount).await?;
        let paid = statement.payable().grouped_with_paise();
        let note = format!("{number}: {paid} was paid on {paid_on}");
        Ok(Done::of(StatementOfRecipient::of(&statement)).saying(note))
    }
}

input! {
    /// Import an insurer's answer to a premium bordereau: the whole file or nothing
    struct AnswerStatement {
        /// Number of the bordereau, such as PB-202611-0001
        #[flag(is_positional = true)]
        number: StatementName,
    }
}

/// The file of an insurer's answer.
const ANSWER: FileTaken = FileTaken {
    media: "application/octet-stream",
    value: "FILE",
    help: "CSV file or .xlsx workbook with the columns row_id and status (accepted or rejected); insurer_policy_no \
           and reason are optional",
};

/// Most bytes of an insurer's answer.
const LONGEST_ANSWER: u64 = 64 * 1024 * 1024;

impl Act for AnswerStatement {
    const ABOUT: About =
        post("statement.answer", "/statements/{number}/answer", &[Role::Accounts]).taking_file(ANSWER);

    type Answer = Done<AnswerImported>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let statement = on.service.statements.numbered(record).await?;
        Ok(Allowed::if_so(statement.kind == StatementKind::Premium))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let number = &self.number.0;
        let mut content = Vec::new();
        let mut upload = on.upload.as_deref().expect("the act takes a file");
        upload.rewind().map_err(unread)?;
        upload.take(LONGEST_ANSWER + 1).read_to_end(&mut content).map_err(unread)?;
        if content.len() as u64 > LONGEST_ANSWER {
            return Err(
                Error::TooLarge("An answer may have at most 64 MiB. Split it into several.".into()).into()
            );
        }
        let answered = on.service.statements.answer(number, &read_answer(&content)?).await?;
        let twin = if answered.is_twin { "; the same answer was already imported" } else { "" };
        let note = format!(
            "{number}: {} rows accepted, {} rejected, {} policies now have the insurer's number{twin}",
            answered.accepted, answered.rejected, answered.numbered
        );
        let imported = AnswerImported {
            number: self.number.0.clone(),
            accepted: answered.accepted,
            rejected: answered.rejected,
            numbered: answered.numbered,
            is_twin: answered.is_twin,
        };
        Ok(Done::of(imported).saying(note))
    }
}

/// Names of totals. A list of statements shows, for each statement, the first of these totals that it has.
const LEADING: &[&str] = &["payable", "total", "outstanding", "net_gst"];

answer! {
    /// Statements of a list
    struct Statements {
        /// Statements, newest month first
        #[shown(columns = ["number", "month", "kind", "recipient", "master_policy_number", "rows", "leading_total", "paid.paid_on", "is_owed"])]
        statements: Vec<StatementOfRecipient>,
    }
}

answer! {
    /// A closed month
    struct MonthClosed {
        /// Month
        #[shown(hidden = true)]
        month: Month,
        /// When it was closed
        #[shown(hidden = true)]
        closed_at: Timestamp,
        /// Whether it was closed only now
        #[shown(hidden = true)]
        is_new: bool,
        /// Its statements
        #[shown(columns = ["number", "month", "kind", "recipient", "master_policy_number", "rows", "leading_total", "paid.paid_on", "is_owed"])]
        statements: Vec<StatementOfRecipient>,
    }
}

answer! {
    /// A statement with its recipient
    struct StatementOfRecipient {
        /// Recipient: id of an insurer or a partner, or operator
        #[shown(label = "for")]
        recipient: String,
        /// Insurer that receives it
        insurer_id: Option<InsurerId>,
        /// Partner that receives it
        partner_id: Option<PartnerId>,
        /// Master policy that it is about
        #[shown(label = "master policy")]
        master_policy_number: String,
        /// The most important of its totals
        #[shown(label = "total")]
        leading_total: Option<Rupees>,
        /// Whether the partner is still to be paid
        is_owed: bool,
        /// Files
        files: Vec<FileOfStatement>,
    } with {
        statement: Api<StatementSummary>,
    }
}

answer! {
    /// A file of a statement
    struct FileOfStatement {
        /// Format
        format: &'static str,
        /// Size in bytes
        bytes: u64,
        /// SHA-256 in hexadecimal digits
        sha256: String,
    }
}

impl StatementOfRecipient {
    fn of(statement: &Statement) -> Self {
        let (recipient, insurer_id, partner_id) = match statement.recipient {
            Recipient::Insurer(insurer) => (insurer.to_string(), Some(insurer), None),
            Recipient::Partner(partner) => (partner.to_string(), None, Some(partner)),
            Recipient::Operator => ("operator".to_owned(), None, None),
        };
        let file = |file: &StatementFile| FileOfStatement {
            format: file.format.word(),
            bytes: file.bytes,
            sha256: file.hash.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        let leading = statement.totals.iter().find(|(name, _)| LEADING.contains(&name.as_str()));
        StatementOfRecipient {
            recipient,
            insurer_id,
            partner_id,
            master_policy_number: statement.subject.clone(),
            leading_total: leading.map(|(_, amount)| *amount),
            is_owed: statement.is_owed(),
            files: statement.files.iter().map(file).collect(),
            statement: Api(StatementSummary::of(statement)),
        }
    }
}

answer! {
    /// A statement with the insurer's answer
    struct StatementInFull {
        /// Number of answered rows
        #[shown(label = "rows answered")]
        answered: usize,
        /// Number of rejected rows
        #[shown(label = "rows rejected")]
        rejected: usize,
        /// The insurer's answers
        #[shown(hidden = true)]
        answers: Vec<RowAnswered>,
        /// Rejected rows
        #[shown(columns = ["row_id", "reason"])]
        rejections: Vec<RowAnswered>,
    } with {
        statement: StatementOfRecipient,
    }
}

answer! {
    /// The insurer's answer to a row
    struct RowAnswered {
        /// Row of the bordereau
        row_id: String,
        /// Status: accepted or rejected
        status: &'static str,
        /// The insurer's number of the policy
        insurer_policy_no: Option<PolicyNumber>,
        /// Why the row is rejected
        reason: Option<String>,
    }
}

impl RowAnswered {
    fn of(answer: &RowAnswer) -> Self {
        RowAnswered {
            row_id: answer.key.to_string(),
            status: if answer.accepted { "accepted" } else { "rejected" },
            insurer_policy_no: answer.number.clone(),
            reason: answer.reason.clone(),
        }
    }
}

impl StatementInFull {
    fn of(statement: &Statement, answers: &[RowAnswer]) -> Self {
        let rejected = || answers.iter().filter(|answer| !answer.accepted);
        StatementInFull {
            answered: answers.len(),
            rejected: rejected().count(),
            answers: answers.iter().map(RowAnswered::of).collect(),
            rejections: rejected().map(RowAnswered::of).collect(),
            statement: StatementOfRecipient::of(statement),
        }
    }
}

answer! {
    /// An imported answer of an insurer
    struct AnswerImported {
        /// Number of the bordereau
        number: String,
        /// Number of accepted rows
        accepted: usize,
        /// Number of rejected rows
        rejected: usize,
        /// Number of policies that got the insurer's number
        numbered: usize,
        /// Whether the same answer was already imported
        is_twin: bool,
    }
}

/// Positions of the columns in an insurer's answer to a bordereau.
struct Columns {
    row_id: usize,
    status: usize,
    number: Option<usize>,
    reason: Option<usize>,
}

/// Parses an insurer's answer to a bordereau. The error lists every fault of the file.
fn read_answer(content: &[u8]) -> Result<Vec<AnswerLine>> {
    let wanted = ["row_id", "status"];
    let table = ReadTable::read(content, &wanted).map_err(bad)?;
    let [row_id, status] = wanted.map(|name| table.column(name).unwrap_or_default());
    let columns =
        Columns { row_id, status, number: table.column("insurer_policy_no"), reason: table.column("reason") };
    let mut lines = Vec::new();
    let of_cell = |fault: &CellFault| {
        let name = table.head.get(fault.column).map_or("", String::as_str);
        format!("line {}: {name}: {}", fault.line, fault.message)
    };
    let mut faults: Vec<String> = table.faults.iter().map(of_cell).collect();
    for row in &table.rows {
        let line = row.line;
        if row.cells.iter().skip(table.head.len()).any(|cell| !cell.is_empty()) {
            faults.push(format!("line {line}: it has more cells than the header; quote a text with commas"));
            continue;
        }
        match read_line(&columns, row) {
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

fn read_line(columns: &Columns, row: &ReadRow) -> Result<AnswerLine, String> {
    // A bordereau has digits as a formula, `="123"`. An answer may return the formula.
    let bare = |text: &String| -> String {
        let digits = text.strip_prefix("=\"").and_then(|text| text.strip_suffix('"'));
        digits.unwrap_or(text).to_owned()
    };
    let cell = |column: usize| row.cells.get(column).map(bare).unwrap_or_default();
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
    Ok(AnswerLine { line: row.line as u64, row_id: cell(columns.row_id), accepted, number, reason })
}

vocabulary! {
    /// Format of a statement's file
    StatementFormat, "one of csv, xlsx" {
        /// Comma-separated values
        Csv = "csv",
        /// Excel workbook
        Xlsx = "xlsx",
    }
}

texts!(StatementFormat);
