//! Commands of the operators' API: the running server does their action, or the command does it itself if
//! no server runs.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::id::Uuid;
use http_client::{Answer, Client, Sent, StatusCode, send_over};
use operators::{
    Action, Asking, FILE_NOTE, HeaderValue, Needs, Printed, Request, RequestOrigin, SERVER, STORE, Schemas,
    small_request,
};
use serde_json::{Map, Value, json};
use service::Service;
use service::clock::Random;
use storage::AtomicFile;
use tokio::net::UnixStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use zip::ZipArchive;

use super::process::DIRECTORY_PERIOD;
use super::{block_on, login, new_file, settings};
use crate::cli::{Asked, Flags, Noun, Printing, flag_of};
use crate::failure::{Failure, Result};
use crate::operator_socket::{self, serving};
use crate::settings::Settings;
use crate::wiring::{CatalogueUse, Engine, OsRandom, engine, needs_store, open_service};
use crate::{lock, output};

/// Most bytes of an answer that is not a file.
const MOST_BYTES: usize = 1 << 30;

/// Bytes between the two ends of a connection within the process.
const BUFFER: usize = 64 * 1024;

/// Longest wait for a server that is starting, or for another command that holds the store's lock.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

const PAUSE: Duration = Duration::from_millis(50);

/// Longest time in which a request is sent again after its answer was lost, for example while the server restarts.
const LONGEST_REPEAT: Duration = Duration::from_secs(30);

const REPEAT_PAUSE: Duration = Duration::from_millis(500);

/// Longest silence of a server: without an answer to the request or to a small one, it hangs.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// Silence after which the server is sent a small request.
const QUIET: Duration = Duration::from_secs(10);

const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Runs the chosen subcommand of a command.
pub(super) fn run<V: Into<Asked> + clap::Subcommand>(Noun { verb, printing, flags }: Noun<V>) -> Result<()> {
    send(verb.into(), &flags, printing)
}

/// Sends an operator's action, and shows its answer. The text of files is sent as fields.
pub(super) fn send(mut asked: Asked, flags: &Flags, printing: Printing) -> Result<()> {
    for (name, path) in std::mem::take(&mut asked.texts) {
        let unread = |cause: &dyn std::fmt::Display| Failure::BadData(format!("{}: {cause}", path.display()));
        let text = fs::read_to_string(&path).map_err(|cause| unread(&cause))?;
        let fields = asked.action.fields();
        let is_object = fields.iter().any(|field| field.name == name && field.item_type() == "object");
        let value = match is_object {
            true => serde_json::from_str(&text).map_err(|cause| unread(&cause))?,
            false => text.into(),
        };
        asked.fields.insert(name.to_owned(), value);
    }
    // An existing file is refused before anything is done.
    let out = match (&asked.out, asked.action.about.out) {
        (Some(file), operators::Out::File) => Out::File(new_file::begin(file)?, file.clone()),
        (Some(folder), operators::Out::Folder) => Out::Folder(folder.clone()),
        _ => Out::Terminal,
    };
    Command { flags, printing }.send(&asked, out).map(|_| ())
}

/// Sends an operator's action with these fields, and returns the JSON of its answer. The calling command shows
/// the answer itself.
pub(super) fn asked(
    name: &str,
    fields: Map<String, Value>,
    flags: &Flags,
    printing: &Printing,
) -> Result<Value> {
    let asked = Asked::of(name, fields);
    Command { flags, printing: printing.clone() }.send(&asked, Out::Caller)
}

/// Destination of an answer.
enum Out {
    Terminal,
    /// The answer is returned to the calling function as JSON.
    Caller,
    /// The answer is written into an output file, which was begun at this path.
    File(AtomicFile, PathBuf),
    Folder(PathBuf),
}

struct Command<'a> {
    flags: &'a Flags,
    printing: Printing,
}

/// Opens the file that a request uploads.
fn upload(path: &Path) -> Result<Sent> {
    let unread = |cause: &dyn std::fmt::Display| Failure::BadData(format!("{}: {cause}", path.display()));
    let file = File::open(path).map_err(|cause| unread(&cause))?;
    match file.metadata().map_err(|cause| unread(&cause))?.is_file() {
        true => Ok(Sent::File(file)),
        false => Err(unread(&"the path is not a file")),
    }
}

impl Command<'_> {
    /// Sends an operator's action. Returns the JSON of the answer for [`Out::Caller`], otherwise null.
    fn send(&self, asked: &Asked, out: Out) -> Result<Value> {
        let action = asked.action;
        let request = operators::request(action, asked.fields.clone());
        let mut request = request.map_err(Failure::BadData)?;
        let file = asked.upload.as_deref();
        // An action that returns a file is not repeated, because a part of the file may be written already.
        let repeats = matches!(out, Out::Terminal | Out::Caller);
        if request.method().as_str() == "POST" && repeats {
            let mut key = [0; 16];
            OsRandom::default().fill(&mut key);
            let key = HeaderValue::from_str(&Uuid::from_bytes(key).to_string());
            request.headers_mut().insert(IDEMPOTENCY_KEY, key.expect("a UUID is visible text"));
        }
        let server = login::server(self.printing.server.as_deref())?;
        block_on(async {
            let began = Instant::now();
            loop {
                let heard = match &server {
                    Some(server) => Remote::of(server)?.ask(&request, file, repeats).await,
                    None => {
                        self.ask(&settings(self.flags)?, action.about.needs, &request, file, repeats).await
                    }
                };
                match heard {
                    Ok(mut heard) => {
                        let closing = heard.closing.take();
                        let shown = self.show(asked, heard, out).await;
                        if let Some(closing) = closing {
                            closing.await.map_err(|cause| broken(cause.to_string()))??;
                        }
                        return shown;
                    }
                    Err(Unheard::Lost(why)) if repeats && began.elapsed() < LONGEST_REPEAT => {
                        output::message(&format!("the server: {why}. The request is sent again"));
                        tokio::time::sleep(REPEAT_PAUSE).await;
                    }
                    Err(Unheard::Lost(why) | Unheard::Silent(why)) => return Err(broken(why)),
                    Err(Unheard::Failed(failure)) => return Err(failure),
                }
            }
        })
    }
}

/// Answer to an operator's action. The body of a file is not read yet; any other body is.
struct Heard {
    answer: Answer,
    bytes: Vec<u8>,
    /// Closes the store once the answer was read, if this process runs the action.
    closing: Option<JoinHandle<Result<()>>>,
}

/// Why an operator's action has no answer.
enum Unheard {
    /// The server cannot be reached, or the connection broke. It may have done the action.
    Lost(String),
    /// The server is there, but does not answer.
    Silent(String),
    /// The action cannot be sent.
    Failed(Failure),
}

impl From<Failure> for Unheard {
    fn from(failure: Failure) -> Self {
        Unheard::Failed(failure)
    }
}

/// Sends a request and reads the answer, unless it is a file. `asks`: sends a small request on another connection. A long
/// action sends nothing until it ends, so this tells it from a server that hangs.
async fn hear(
    sent: impl Future<Output = Result<Answer, String>>,
    reads: bool,
    asks: impl AsyncFn() -> Result<(), String>,
) -> Result<Heard, Unheard> {
    let heard = async {
        let mut heard = Heard { answer: sent.await?, bytes: Vec::new(), closing: None };
        if reads || heard.answer.status != StatusCode::OK {
            while let Some(part) = heard.answer.part().await? {
                heard.bytes.extend_from_slice(&part);
                if heard.bytes.len() > MOST_BYTES {
                    return Err("the answer is too large".to_owned());
                }
            }
        }
        Ok(heard)
    };
    let mut heard = std::pin::pin!(heard);
    loop {
        if let Ok(heard) = timeout(QUIET, &mut heard).await {
            return heard.map_err(Unheard::Lost);
        }
        tokio::select! {
            heard = &mut heard => return heard.map_err(Unheard::Lost),
            alive = timeout(LONGEST_SILENCE - QUIET, asks()) => if alive.is_err() {
                let seconds = LONGEST_SILENCE.as_secs();
                return Err(Unheard::Silent(format!("it sent nothing for {seconds} seconds, and hangs")));
            },
        }
    }
}

/// Sender of requests to a server on another machine.
struct Remote {
    client: Client,
    server: String,
}

impl Remote {
    fn of(server: &str) -> Result<Self> {
        Ok(Remote { client: login::client()?, server: server.to_owned() })
    }

    async fn ask(&self, request: &Asking, file: Option<&Path>, reads: bool) -> Result<Heard, Unheard> {
        let addressed = |request: Asking| login::addressed(&self.server, request);
        let request = with_file(addressed(request.clone())?, file)?;
        let asks = async || {
            let small = addressed(small_request()).map_err(|failure| failure.to_string())?;
            self.client.send(small).await.map(|_| ())
        };
        hear(self.client.send(request), reads, asks).await
    }
}

fn with_file(request: Asking, file: Option<&Path>) -> Result<Request<Sent>> {
    let file = file.map(upload).transpose()?;
    Ok(request.map(|body| file.unwrap_or_else(|| body.into())))
}

/// Process that runs an operator's action.
enum Way {
    /// The process that serves the store.
    Server(UnixStream),
    /// This process. On SQLite, the file is the lock of the data folder, which the process holds.
    Here(Option<File>),
}

/// Decides which process runs an operator's action. Waits for a server that is starting, because it takes the
/// lock before it opens its socket. Also waits for another command that has the lock, because it releases the
/// lock soon.
async fn way(settings: &Settings) -> Result<Way> {
    let folder = Path::new(&settings.data);
    let began = Instant::now();
    loop {
        if let Some(socket) = operator_socket::connect(settings).await? {
            return Ok(Way::Server(socket));
        }
        if matches!(engine(settings)?, Engine::Postgres(_)) || !folder.exists() {
            return Ok(Way::Here(None));
        }
        if let Some(held) = lock::try_for_command(folder)? {
            return Ok(Way::Here(Some(held)));
        }
        if began.elapsed() > LONGEST_WAIT {
            return Err(Failure::Away(format!(
                "another process uses the data folder {}, but does not serve operators at {}: if that process is a server, restart it",
                folder.display(),
                operator_socket::path(settings).display()
            )));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

impl Command<'_> {
    async fn ask(
        &self,
        settings: &Settings,
        needs: Needs,
        request: &Asking,
        file: Option<&Path>,
        reads: bool,
    ) -> Result<Heard, Unheard> {
        let mut sent = with_file(request.clone(), file)?;
        match way(settings).await? {
            Way::Server(socket) => {
                let unsaid = |_| Failure::Configuration("data: the path has a control character".into());
                let store = HeaderValue::from_bytes(operator_socket::store(settings).as_bytes());
                sent.headers_mut().insert(STORE, store.map_err(unsaid)?);
                let asks = async || match operator_socket::connect(settings).await {
                    Ok(Some(socket)) => send_over(socket, small_request()).await.map(|_| ()),
                    // The first connection breaks, too.
                    _ => Ok(()),
                };
                hear(send_over(socket, sent), reads, asks).await
            }
            Way::Here(held) => self.do_here(settings, needs, (sent, reads), held).await,
        }
    }

    /// Opens the store, and runs the operator's action in this process instead of a server.
    async fn do_here(
        &self,
        settings: &Settings,
        needs: Needs,
        (request, reads): (Request<Sent>, bool),
        held: Option<File>,
    ) -> Result<Heard, Unheard> {
        let needs = match needs {
            Needs::Nothing => CatalogueUse::None,
            Needs::Store | Needs::Catalogue => {
                needs_store(settings).await?;
                if needs == Needs::Store { CatalogueUse::None } else { CatalogueUse::Needed }
            }
        };
        let service = Arc::new(open_service(settings, needs).await?);
        let router = operators::router(service.clone(), serving(settings)?);
        let caller = RequestOrigin::Local { uid: rustix::process::geteuid().as_raw() };
        let (here, there) = tokio::io::duplex(BUFFER);
        let served = tokio::spawn(operators::serve_connection(router, caller, there));
        let refreshing = tokio::spawn(refresh(service.clone()));
        let heard = hear(send_over(here, request), reads, async || Ok(())).await;
        // The process sends a file while this command writes it.
        let closing = tokio::spawn(async move {
            let _ = served.await;
            refreshing.abort();
            let closed = service.installation.close().await.map_err(Failure::from);
            drop(held);
            closed
        });
        match heard {
            Ok(heard) => Ok(Heard { closing: Some(closing), ..heard }),
            Err(unheard) => {
                closing.await.map_err(|cause| broken(cause.to_string()))??;
                Err(unheard)
            }
        }
    }

    /// Prints which file or folder was written, if the command prints JSON.
    fn wrote(&self, written: Value) {
        if self.printing.json {
            output::json(&written);
        }
    }

    /// Prints an answer, writes it into a file or folder, or returns its JSON, as `out` says.
    async fn show(&self, asked: &Asked, Heard { mut answer, bytes, .. }: Heard, out: Out) -> Result<Value> {
        if self.printing.verbose {
            output::message(&named(answer.header(SERVER).unwrap_or_default()));
        }
        if !answer.status.is_success() {
            return Err(Failure::of_answer(answer.status.as_u16(), &bytes, |field| flag_of(asked, field)));
        }
        let is_waiting = answer.status == StatusCode::ACCEPTED;
        // An action that waits for approval has no file.
        let out = if is_waiting { Out::Terminal } else { out };
        match out {
            Out::File(file, path) => {
                let written = copy(&mut answer, file.file(), &path).await?;
                new_file::finish(file, &path)?;
                self.wrote(json!({ "file": path, "bytes": written }));
                output::message(&format!("{written} bytes were written into {}", path.display()));
                answer.header(FILE_NOTE).into_iter().for_each(output::message);
                return Ok(Value::Null);
            }
            Out::Folder(folder) => {
                let mut archive = tempfile::tempfile().map_err(|cause| new_file::broken(&folder, &cause))?;
                copy(&mut answer, &archive, &folder).await?;
                archive.rewind().map_err(|cause| new_file::broken(&folder, &cause))?;
                let files = unpack(archive, &folder)?;
                self.wrote(json!({ "folder": folder, "files": files }));
                output::message(&format!("{files} files were written into {}", folder.display()));
                return Ok(Value::Null);
            }
            Out::Terminal | Out::Caller => {}
        }
        let unread = |cause: serde_json::Error| broken(format!("the answer cannot be read: {cause}"));
        if matches!(out, Out::Caller) {
            return serde_json::from_slice(&bytes).map_err(unread);
        }
        let answer: Value = serde_json::from_slice(&bytes).map_err(unread)?;
        let printed = printed(asked.action, &answer, is_waiting);
        if self.printing.json {
            output::json(&answer);
        } else {
            printed.data.iter().for_each(|line| output::data(line));
            printed.notes.iter().for_each(|line| output::message(line));
        }
        if is_waiting {
            return Err(Failure::Waits(
                "nothing was done yet: a second operator must approve the action".to_owned(),
            ));
        }
        match printed.refused.is_empty() {
            true => Ok(Value::Null),
            false => Err(Failure::Failed(printed.refused.join("\n"))),
        }
    }
}

/// Periodically reads the keys that other processes of a PostgreSQL store add, while this process acts. What it
/// writes must be by the newest keys: a rotation renews only what is there when it ends.
async fn refresh(service: Arc<Service>) {
    let mut period = tokio::time::interval(DIRECTORY_PERIOD);
    loop {
        period.tick().await;
        // If the store is away, the action itself says so.
        let _ = service.shared.directory.refresh().await;
    }
}

/// The answer for people. Of an action that waits for approval, only the notes are printed.
fn printed(action: &Action, answer: &Value, is_waiting: bool) -> Printed {
    let mut schemas = Schemas::new();
    let schema = action.answer_schema(&mut schemas).unwrap_or_default();
    let printed = operators::print(answer, &schema, &schemas);
    if is_waiting { Printed { data: Vec::new(), ..printed } } else { printed }
}

/// The failure of a server that does not answer completely.
fn broken(why: String) -> Failure {
    Failure::Away(format!(
        "the server: {why}. The server may have done the action: check before you repeat the command"
    ))
}

/// Copies the file in an answer to `to`. Returns the number of bytes.
async fn copy(answer: &mut Answer, mut to: &File, out: &Path) -> Result<usize> {
    let mut written = 0;
    let silent = |_| broken("it sent nothing for too long".to_owned());
    while let Some(part) = timeout(LONGEST_SILENCE, answer.part()).await.map_err(silent)?.map_err(broken)? {
        to.write_all(&part).map_err(|cause| new_file::broken(out, &cause))?;
        written += part.len();
    }
    Ok(written)
}

/// Unpacks an archive into a folder, without overwriting a file. Returns the number of files.
fn unpack(archive: File, folder: &Path) -> Result<usize> {
    let broken = |cause: &dyn std::fmt::Display| new_file::broken(folder, cause);
    fs::create_dir_all(folder).map_err(|cause| broken(&cause))?;
    let mut archive = ZipArchive::new(archive).map_err(|cause| broken(&cause))?;
    for index in 0..archive.len() {
        let mut packed = archive.by_index(index).map_err(|cause| broken(&cause))?;
        let name =
            packed.enclosed_name().ok_or_else(|| broken(&"a file in the archive has no valid name"))?;
        let path = folder.join(name);
        let file = new_file::begin(&path)?;
        io::copy(&mut packed, &mut file.file()).map_err(|cause| new_file::broken(&path, &cause))?;
        new_file::finish(file, &path)?;
    }
    Ok(archive.len())
}

/// Describes the process that answered, in one line.
fn named(facts: &str) -> String {
    let facts: Value = serde_json::from_str(facts).unwrap_or_default();
    let [version, store, catalogue] =
        ["version", "store", "catalogue"].map(|name| facts[name].as_str().unwrap_or_default().to_owned());
    format!("covernote {version}, process {}, store {store}, catalogue {catalogue}", facts["process"])
}
