//! The log of access (setting `audit`): who did what, one JSON object per line, one file per day.
//!
//! A server passes its lines to a thread, so that no request waits for the disk. A command writes a line
//! before it starts, then another when it has ended. The audit trail is something else: its entries are in
//! the store. [`HeadWriter`] writes its signed heads, the newest entry of each chain, into a file.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use operators::{ActLine, Trail, head_line, is_id};
use serde_json::{Value, json};
use service::Service;
use service::clock::Clock;
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use web::audit::{Audit, AuditLine};
use web::error::Code;

use crate::failure::{Failure, Result};
use crate::settings::Settings;
use crate::wiring::{SystemClock, make_folder};

/// Most lines that wait for the disk. Further lines are lost, which is logged as an error.
const WAITING: usize = 8192;

/// Longest wait for the last lines when a server stops.
const LONGEST_END: Duration = Duration::from_secs(5);

/// Most lines about refused requests in a second. Without this limit, a client could fill the disk with
/// refused requests.
const REFUSALS_A_SECOND: u64 = 100;

/// Destination of lines, by the setting `audit`.
enum Target {
    Folder(PathBuf),
    Stdout,
    Nowhere,
}

impl Target {
    fn of(settings: &Settings) -> Self {
        match settings.audit.as_str() {
            "" => Target::Folder(Path::new(&settings.data).join("audit")),
            "stdout" => Target::Stdout,
            "off" => Target::Nowhere,
            folder => Target::Folder(folder.into()),
        }
    }
}

/// Opens the log files of a folder, one for each day in UTC. The newest `days` files are kept.
fn files(folder: &Path, days: usize) -> Result<RollingFileAppender> {
    let failed = |cause: &dyn std::fmt::Display| {
        Failure::Away(format!("the audit folder {} cannot be written: {cause}", folder.display()))
    };
    make_folder(folder)?;
    // Checks that the folder is writable, since the appender would only print the error. The file has no
    // name, so that processes that start at the same time do not see it.
    tempfile::tempfile_in(folder).map_err(|cause| failed(&cause))?;
    let day = SystemClock.now().strftime("audit.%Y-%m-%d.jsonl").to_string();
    storage::open_or_create(&folder.join(day), OpenOptions::new().append(true))
        .map_err(|cause| failed(&cause))?;
    RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("audit")
        .filename_suffix("jsonl")
        .max_log_files(days)
        .build(folder)
        .map_err(|cause| failed(&cause))
}

/// Log of access of a server.
pub(crate) struct AccessLog {
    work: SyncSender<Work>,
    refusals: Mutex<Refusals>,
}

/// Work for the thread that writes the log of access.
enum Work {
    Write(String),
    /// Sends a reply once all earlier lines are written.
    Finish(SyncSender<()>),
}

/// Numbers of refused requests in the current second.
#[derive(Default)]
struct Refusals {
    second: i64,
    written: u64,
    /// Number of refused requests without a line, since a line last reported this number.
    unwritten: u64,
}

impl Refusals {
    /// Counts a refused request. Returns how many before it got no line, or `None` if it gets none itself.
    fn admit(&mut self) -> Option<u64> {
        let second = SystemClock.now().as_second();
        if self.second != second {
            (self.second, self.written) = (second, 0);
        }
        if self.written >= REFUSALS_A_SECOND {
            self.unwritten += 1;
            return None;
        }
        self.written += 1;
        Some(std::mem::take(&mut self.unwritten))
    }
}

impl AccessLog {
    /// Starts the log of access that the settings name. `None` if the log of access is off.
    ///
    /// # Errors
    /// [`Failure::Away`] if the log of access cannot be written.
    pub(crate) fn begin(settings: &Settings) -> Result<Option<Self>> {
        let to: Box<dyn Write + Send> = match Target::of(settings) {
            Target::Folder(folder) => Box::new(files(&folder, settings.audit_days)?),
            Target::Stdout => Box::new(std::io::stdout()),
            Target::Nowhere => return Ok(None),
        };
        let (work, waiting) = sync_channel(WAITING);
        let thread = std::thread::Builder::new().name("audit".into()).spawn(move || write_all(to, &waiting));
        thread.map_err(|cause| Failure::Failed(format!("the audit thread cannot start: {cause}")))?;
        Ok(Some(AccessLog { work, refusals: Mutex::default() }))
    }

    /// Waits until all earlier lines are written, for [`LONGEST_END`] at most.
    pub(crate) fn finish(&self) {
        let (done, written) = sync_channel(1);
        let work = self.work.clone();
        // The queue may be full, if the reader of stdout is stalled.
        let finish = move || work.send(Work::Finish(done)).is_ok() && written.recv().is_ok();
        if system::logs::within(LONGEST_END, finish) != Some(true) {
            tracing::error!(
                "audit lines were lost: the disk was too slow to write them before the process ended"
            );
        }
    }

    fn send(&self, line: &Value) {
        match self.work.try_send(Work::Write(format!("{line}\n"))) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                tracing::error!("an audit line was lost: the disk is too slow");
            }
            Err(TrySendError::Disconnected(_)) => {
                tracing::error!("an audit line was lost: the audit thread has ended")
            }
        }
    }
}

/// Writes incoming lines until every sender is dropped.
fn write_all(mut to: Box<dyn Write + Send>, work: &Receiver<Work>) {
    for work in work {
        let line = match work {
            Work::Write(line) => line,
            Work::Finish(done) => {
                let _ = done.send(());
                continue;
            }
        };
        // One write for each line, so that lines of several processes do not mix.
        if let Err(cause) = to.write_all(line.as_bytes()).and_then(|()| to.flush()) {
            tracing::error!(error.cause = %cause, "an audit line was lost: {cause}");
        }
    }
}

impl Audit for AccessLog {
    fn write(&self, line: &AuditLine<'_>) {
        let now = SystemClock.now();
        let mut unwritten = 0;
        if line.event.is_refusal() {
            match self.refusals.lock().unwrap_or_else(PoisonError::into_inner).admit() {
                Some(before) => unwritten = before,
                None => return,
            }
        }
        let mut object = json!({
            "at": now.to_string(),
            "event": line.event.word(),
            "partner_id": line.partner.map(|partner| partner.to_string()),
            "peer": line.peer,
            "record": line.record,
            "request": line.request,
            "request_id": line.request_id,
        });
        if unwritten > 0 {
            object["refusals_not_written_before"] = json!(unwritten);
        }
        self.send(&object);
    }
}

/// An operator's command for the log of access: its words, its flags without their values, and the ids among
/// its arguments. Other arguments are left out, because they may be personal data.
pub(crate) struct OperatorCommand {
    words: Vec<String>,
    flags: Vec<String>,
    ids: Vec<String>,
}

impl OperatorCommand {
    /// `words` are the command and its verb. `arguments` are all arguments of the command line.
    pub(crate) fn of(words: Vec<String>, arguments: impl Iterator<Item = String>) -> Self {
        let (mut flags, mut ids) = (Vec::new(), Vec::new());
        for argument in arguments {
            if let Some(flag) = argument.strip_prefix("--") {
                flags.push(flag.split('=').next().unwrap_or_default().to_owned());
            } else if is_id(&argument) {
                ids.push(argument);
            }
        }
        OperatorCommand { words, flags, ids }
    }

    fn line(&self, event: &str) -> Value {
        let sudo_user = std::env::var("SUDO_UID").ok().and_then(|uid| uid.parse::<u32>().ok());
        let who = (Some(rustix::process::getuid().as_raw()), sudo_user, None);
        command_line(event, who, &self.words.join(" "), &self.flags, &self.ids)
    }

    /// Logs that the command starts. Logs nothing if there is no data folder yet, because a command that only
    /// reads must not create one.
    ///
    /// # Errors
    /// [`Failure::Away`] if the line cannot be written: then the command must not run.
    pub(crate) fn begins(&self, settings: &Settings) -> Result<()> {
        write(settings, &self.line("command_began"))
    }

    /// Logs the exit code of the command.
    pub(crate) fn ended(&self, settings: &Settings, code: u8) {
        let mut line = self.line("command_ended");
        line["exit_code"] = json!(code);
        if let Err(failure) = write(settings, &line) {
            crate::output::message(&format!("covernote: {failure}"));
        }
    }
}

fn command_line(
    event: &str,
    (user, sudo_user, operator): (Option<u32>, Option<u32>, Option<&str>),
    command: &str,
    flags: &[String],
    ids: &[String],
) -> Value {
    json!({
        "at": SystemClock.now().to_string(), "event": event, "user": user, "sudo_user": sudo_user, "operator": operator,
        "process": std::process::id(), "command": command, "flags": flags, "records": ids,
    })
}

/// Writes a line of a command to the log of access, and waits until it is written.
fn write(settings: &Settings, line: &Value) -> Result<()> {
    let line = format!("{line}\n");
    match Target::of(settings) {
        Target::Folder(folder) if Path::new(&settings.data).exists() => files(&folder, settings.audit_days)?
            .write_all(line.as_bytes())
            .map_err(|cause| Failure::Away(format!("an audit line cannot be written: {cause}"))),
        // A command's stdout is for its output, so the line goes to stderr.
        Target::Stdout => {
            crate::output::message(line.trim_end());
            Ok(())
        }
        Target::Folder(_) | Target::Nowhere => Ok(()),
    }
}

/// Log of access for the actions of operators.
pub(crate) struct Acts(Settings, Mutex<Refusals>);

impl Acts {
    pub(crate) fn of(settings: &Settings) -> Self {
        Acts(settings.clone(), Mutex::default())
    }

    fn line(event: &str, line: &ActLine) -> Value {
        let who = (line.user, line.sudo_user, line.operator.as_deref());
        command_line(event, who, &line.act.replace('.', " ").replace('_', "-"), &line.fields, &line.records)
    }

    /// Writes a line about an operator's action that has ended. An error is only logged.
    fn note(&self, line: &Value) {
        if let Err(failure) = write(&self.0, line) {
            tracing::error!("an audit line was lost: {failure}");
        }
    }
}

impl Trail for Acts {
    fn begins(&self, line: &ActLine) -> Result<(), String> {
        write(&self.0, &Acts::line("command_began", line)).map_err(|failure| failure.to_string())
    }

    fn ended(&self, line: &ActLine, refused: Option<Code>) {
        let mut ended = Acts::line("command_ended", line);
        let code = |code: Code| Failure::of_code(code.word(), String::new()).code();
        ended["exit_code"] = json!(refused.map_or(0, code));
        self.note(&ended);
    }

    fn refused(&self, line: &ActLine) {
        self.note(&Acts::line("command_refused", line));
    }

    fn sign_in_failed(&self, way: &str, peer: &str) {
        let Some(unwritten) = self.1.lock().unwrap_or_else(PoisonError::into_inner).admit() else { return };
        let mut line = json!({
            "at": SystemClock.now().to_string(), "event": "operator_sign_in_failed", "way": way, "peer": peer,
        });
        if unwritten > 0 {
            line["refusals_not_written_before"] = json!(unwritten);
        }
        self.note(&line);
    }

    fn heads(&self) -> Result<String, String> {
        let path = heads_file(&self.0);
        match std::fs::read_to_string(&path) {
            Ok(lines) => Ok(lines),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(cause) => Err(format!("{}: {cause}", path.display())),
        }
    }
}

/// Path of the file with the audit trail's signed heads.
fn heads_file(settings: &Settings) -> PathBuf {
    match settings.audit_heads.as_str() {
        "" => Path::new(&settings.data).join("audit-heads.jsonl"),
        path => path.into(),
    }
}

/// Writes the signed heads of the audit trail whenever the trail has grown.
pub(crate) struct HeadWriter {
    settings: Settings,
    written: BTreeMap<i16, i64>,
}

impl HeadWriter {
    pub(crate) fn new(settings: &Settings) -> Self {
        HeadWriter { settings: settings.clone(), written: BTreeMap::new() }
    }

    /// Writes the signed head of each slot (chain) of the audit trail that has grown since the last call.
    pub(crate) async fn write(&mut self, service: &Service) -> Result<()> {
        let heads = service.audit.heads().await.map_err(|fault| Failure::Away(fault.to_string()))?;
        let grown = heads.iter().filter(|head| self.written.get(&head.slot) != Some(&head.number));
        let lines: String = grown.map(|head| head_line(head) + "\n").collect();
        if lines.is_empty() {
            return Ok(());
        }
        let path = heads_file(&self.settings);
        let failed = |cause: std::io::Error| Failure::Away(format!("{}: {cause}", path.display()));
        path.parent().map_or(Ok(()), make_folder)?;
        // After a line that a crash cut off, a new line starts.
        let is_torn = std::fs::read(&path).is_ok_and(|there| there.last().is_some_and(|last| *last != b'\n'));
        let lines = if is_torn { format!("\n{lines}") } else { lines };
        let file = storage::open_or_create(&path, OpenOptions::new().append(true));
        file.and_then(|mut file| file.write_all(lines.as_bytes()).and_then(|()| file.sync_data()))
            .map_err(failed)?;
        self.written = heads.iter().map(|head| (head.slot, head.number)).collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_line_of_a_command_has_its_ids_and_flags_but_no_personal_data() {
        let arguments = [
            "quote",
            "find",
            "--lead",
            "98765 43210",
            "--json",
            "--reason=fraud",
            "pro_01m7vkfva0e0083np4p3gn3h2j",
        ];
        let words = vec!["quote".to_owned(), "find".to_owned()];
        let command = OperatorCommand::of(words, arguments.iter().map(ToString::to_string));
        let line = command.line("command_began").to_string();
        assert!(!line.contains("98765") && !line.contains("fraud"), "{line}");
        assert_eq!(command.flags, ["lead", "json", "reason"]);
        assert_eq!(command.ids, ["pro_01m7vkfva0e0083np4p3gn3h2j"]);
    }
}
