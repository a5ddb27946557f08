//! `covernote statement`: the statements of a month are made, listed, written into files and answered (D85 to D87).

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use domain::date::Date;
use domain::money::Rupees;
use domain::premium::PaymentReference;
use domain::statement::{FileFormat, Month, Recipient, Statement as Made, StatementFile};
use domain::text::one_line;
use serde_json::{Value, json};
use service::statement::{AnswerLine, DraftFile, download};
use service::storage::statements::RowAnswer;
use service::{Error, Service};
use web::api::shown;

use super::arguments::{read, read_amount, read_day, read_or_say, read_reference};
use super::{new_file, on_service};
use crate::cli::{PaymentMade, Statement, StatementFormat, StatementVerb};
use crate::failure::{Failure, Result};
use crate::output;
use crate::progress;

/// Most characters of a reason of an insurer.
const LONGEST_REASON: usize = 200;

pub(super) fn run(Statement { verb, flags }: Statement) -> Result<()> {
    on_service(&flags, async |service| match verb {
        StatementVerb::Make { month, json } => make(&service, read("--month", &month)?, json).await,
        StatementVerb::Draft { month, out } => draft(&service, read("--month", &month)?, &out).await,
        StatementVerb::List { month, most, json } => {
            let month = month.as_deref().map(|text| read("--month", text)).transpose()?;
            list(&service.statements.of_months(month, most).await?, json);
            Ok(())
        }
        StatementVerb::Show { number, json } => {
            let statement = service.statements.numbered(&number).await?;
            let answers = service.statements.answers(&statement).await?;
            show(&statement, &answers, json);
            Ok(())
        }
        StatementVerb::Export { number, format, out } => {
            export(&service, &number, format_of(format), &out).await
        }
        StatementVerb::Paid { number, payment, json } => {
            let (reference, paid_on, amount) = read_payment(&payment, service.policies.today())?;
            let statement = service.statements.paid(&number, reference, paid_on, amount).await?;
            if json {
                output::json(&to_json(&statement));
            }
            output::message(&format!(
                "{number}: {} was paid on {paid_on}",
                statement.payable().grouped_with_paise()
            ));
            Ok(())
        }
        StatementVerb::Answer { number, file, json } => {
            let lines = read_answer(&file)?;
            let answered = service.statements.answer(&number, &lines).await?;
            if json {
                output::json(&json!({
                    "number": number, "accepted": answered.accepted, "rejected": answered.rejected,
                    "numbered": answered.numbered, "is_twin": answered.is_twin,
                }));
            }
            let twin = if answered.is_twin { ": the same was answered before" } else { "" };
            output::message(&format!(
                "{number}: {} rows accepted, {} rejected, {} policies have the insurer's number now{twin}",
                answered.accepted, answered.rejected, answered.numbered
            ));
            Ok(())
        }
    })
}

async fn make(service: &Service, month: Month, as_json: bool) -> Result<()> {
    let bar = progress::line();
    let mut told = |read: u64| bar.set_message(format!("{read} records read"));
    let made = service.statements.make(month, &mut told).await;
    bar.finish_and_clear();
    let made = made?;
    if as_json {
        let statements: Vec<Value> = made.statements.iter().map(to_json).collect();
        output::json(&json!({
            "month": month.to_string(), "closed_at": made.closed_at.to_string(), "is_new": made.is_new,
            "statements": statements,
        }));
    } else {
        list(&made.statements, false);
    }
    let how = if made.is_new { "is closed" } else { "was closed before" };
    output::message(&format!("{month} {how}, with {} statements", made.statements.len()));
    tell_without_licence(service).await
}

/// Writes the statements of a month as it stands now into a folder.
async fn draft(service: &Service, month: Month, out: &Path) -> Result<()> {
    fs::create_dir_all(out).map_err(|cause| new_file::broken(out, &cause))?;
    let bar = progress::line();
    let mut told = |read: u64| bar.set_message(format!("{read} records read"));
    let mut written = 0;
    let mut take = |draft: DraftFile<'_>| {
        written += 1;
        let path = out.join(&draft.name);
        let copied = new_file::begin(&path).and_then(|to| {
            io::copy(draft.file, &mut to.file()).map_err(|cause| new_file::broken(&path, &cause))?;
            new_file::finish(to, &path)
        });
        copied.map_err(|failure| Error::Conflict(failure.to_string()))
    };
    let drafted = service.statements.draft(month, &mut told, &mut take).await;
    bar.finish_and_clear();
    drafted?;
    output::message(&format!("{written} files of {month} as it stands now are in {}", out.display()));
    tell_without_licence(service).await
}

/// Says which partners earn nothing by what they sold.
async fn tell_without_licence(service: &Service) -> Result<()> {
    if let Some(sentence) = service.statements.without_licence().await? {
        output::message(&format!("partners that {sentence}"));
    }
    Ok(())
}

fn list(statements: &[Made], as_json: bool) {
    if as_json {
        let statements: Vec<Value> = statements.iter().map(to_json).collect();
        output::json(&json!({ "statements": statements }));
        return;
    }
    let row = |statement: &Made| {
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
    output::table(
        &["number", "month", "kind", "for", "master policy", "rows", "total", "paid"],
        statements.iter().map(row).collect(),
    );
}

/// When a partner was paid by a statement, or that it is owed something.
fn paid_or_owed(statement: &Made) -> String {
    match &statement.paid {
        Some(paid) => paid.paid_on.to_string(),
        None if statement.payable() > Rupees::ZERO => "owed".to_owned(),
        None => String::new(),
    }
}

/// The totals of which a list shows one.
const LEADING: &[&str] = &["payable", "total", "outstanding", "net_gst"];

fn recipient(of: Recipient) -> String {
    match of {
        Recipient::Insurer(insurer) => insurer.to_string(),
        Recipient::Partner(partner) => partner.to_string(),
        Recipient::Operator => "operator".to_owned(),
    }
}

fn to_json(statement: &Made) -> Value {
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

fn show(statement: &Made, answers: &[RowAnswer], as_json: bool) {
    let rejected: Vec<&RowAnswer> = answers.iter().filter(|answer| !answer.accepted).collect();
    if as_json {
        let mut printed = to_json(statement);
        let answer = |answer: &RowAnswer| {
            json!({
                "row_id": answer.key.to_string(), "status": if answer.accepted { "accepted" } else { "rejected" },
                "insurer_policy_no": answer.number.as_ref().map(ToString::to_string), "reason": answer.reason,
            })
        };
        printed["answers"] = answers.iter().map(answer).collect::<Vec<_>>().into();
        output::json(&printed);
        return;
    }
    output::data(&format!("{}  {} of {}", statement.number, statement.kind, statement.month));
    output::data(&format!("for {}, {} rows", recipient(statement.recipient), statement.rows));
    for (name, amount) in &statement.totals {
        output::data(&format!("  {name:<26} {}", amount.grouped_with_paise()));
    }
    for file in &statement.files {
        output::data(&format!("  {}  {} bytes  SHA-256 {}", file.format, file.bytes, hex(&file.hash)));
    }
    if let Some(paid) = &statement.paid {
        output::data(&format!("paid on {} by {}", paid.paid_on, paid.reference.as_str()));
    }
    if !answers.is_empty() {
        output::data(&format!("{} rows answered, {} rejected", answers.len(), rejected.len()));
    }
    for answer in rejected {
        let reason = answer.reason.as_deref().unwrap_or("without a reason");
        output::data(&format!("  {}  {reason}", answer.key));
    }
}

/// Writes a file of a statement, a part after another.
async fn export(service: &Service, number: &str, format: FileFormat, out: &Path) -> Result<()> {
    let found = download(service.statements.numbered(number).await?, format)?;
    let file = new_file::begin(out)?;
    let (mut written, mut part) = (0, 0);
    while let Some(bytes) = service.statements.part(&found.statement, format, part).await? {
        file.file().write_all(&bytes).map_err(|cause| new_file::broken(out, &cause))?;
        written += bytes.len() as u64;
        part += 1;
    }
    if written != found.file.bytes {
        let expected = found.file.bytes;
        return Err(Failure::Failed(format!("{number} is damaged: it has {written} of {expected} bytes")));
    }
    new_file::finish(file, out)?;
    output::message(&format!(
        "{number} is in {}: {written} bytes, SHA-256 {}",
        out.display(),
        hex(&found.file.hash)
    ));
    Ok(())
}

const fn format_of(format: StatementFormat) -> FileFormat {
    match format {
        StatementFormat::Csv => FileFormat::Csv,
        StatementFormat::Xlsx => FileFormat::Xlsx,
    }
}

/// Where the columns of an answer stand.
struct Columns {
    row_id: usize,
    status: usize,
    number: Option<usize>,
    reason: Option<usize>,
}

/// Reads an insurer's answer. Every fault of the file is told.
fn read_answer(path: &Path) -> Result<Vec<AnswerLine>> {
    let shown = path.display();
    let away = |cause: csv::Error| match cause.is_io_error() {
        true => Failure::Away(format!("{shown} cannot be read: {cause}")),
        false => Failure::BadData(format!("{shown} is no CSV: {cause}")),
    };
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_path(path).map_err(away)?;
    let columns = columns_of(reader.headers().map_err(away)?)
        .map_err(|missing| Failure::BadData(format!("{shown}: the column {missing} is missing")))?;
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record.map_err(away)?;
        let line = record.position().map_or(0, csv::Position::line);
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
        false => Err(Failure::BadData(format!("{shown}: {}; nothing was taken", faults.join("; ")))),
    }
}

fn columns_of(names: &StringRecord) -> Result<Columns, &'static str> {
    let find = |wanted: &str| names.iter().position(|name| name.trim_start_matches('\u{feff}') == wanted);
    Ok(Columns {
        row_id: find("row_id").ok_or("row_id")?,
        status: find("status").ok_or("status")?,
        number: find("insurer_policy_no"),
        reason: find("reason"),
    })
}

fn read_line(columns: &Columns, record: &StringRecord, line: u64) -> Result<AnswerLine, String> {
    let cell = |column: usize| record.get(column).unwrap_or_default();
    let filled = |column: Option<usize>| column.map(cell).filter(|text| !text.is_empty());
    let accepted = match cell(columns.status).to_ascii_lowercase().as_str() {
        "accepted" => true,
        "rejected" => false,
        other => return Err(format!("status: must be accepted or rejected, not {other:?}")),
    };
    let number = filled(columns.number).map(|text| read_or_say("insurer_policy_no", text)).transpose()?;
    let reason = filled(columns.reason).and_then(|text| one_line(text, LONGEST_REASON));
    if !accepted && reason.is_none() {
        return Err("reason: must say why the row is rejected".to_owned());
    }
    Ok(AnswerLine { line, row_id: cell(columns.row_id).to_owned(), accepted, number, reason })
}

/// A payment that was made: what it is called, its day, and its amount where somebody told it.
fn read_payment(payment: &PaymentMade, today: Date) -> Result<(PaymentReference, Date, Option<Rupees>)> {
    let PaymentMade { reference, paid_on, amount } = payment;
    let reference = read_reference(reference)?;
    let paid_on = paid_on.as_deref().map(|day| read_day("--paid-on", day)).transpose()?;
    let amount = amount.as_deref().map(|text| read_amount("--amount", text)).transpose()?;
    Ok((reference, paid_on.unwrap_or(today), amount))
}
