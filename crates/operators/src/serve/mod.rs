//! Serves all operators' actions over HTTP. [`decide`] authorizes the caller of every action.
//!
//! Uses `act`, `claim`, `month`, `partner`, `person`, `policy`, `premium`, `proposal`, `quote`, `statement`, `store`,
//! `team`, `today`.

pub(crate) mod acts;
pub(crate) mod document;
pub(crate) mod idempotency;
pub(crate) mod interrupted;

use std::io::Write;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, get, on};
use axum::{Extension, Router};
use domain::money::Rupees;
use domain::team::SecretKind;
use futures_util::StreamExt;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use serde_json::{Map, Value, json};
use service::Service;
use service::acting::{Acting, Actor, Via, act_as};
use service::team::SignedIn;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use web::api::DocumentFile;
use web::error::{Code, Problem};

use crate::act::answer::{Answer, File};
use crate::act::approval_shown::ApprovalShown;
use crate::act::decide::{Who, decide};
use crate::act::shown::Shown;
use crate::act::trail::{ActLine, Trail, is_id, named};
use crate::act::{
    Action, Asked, BASE, Examine, FILE_NOTE, JudgeCatalogue, Method, On, Result, SUDO_USER, Verify,
};
use crate::serve::acts::ACTIONS;
use crate::serve::idempotency::Keyed;
use crate::team::provider::ProviderSettings;

/// Header of every answer: facts about the server, as JSON.
pub const SERVER: &str = "covernote-server";

/// Header in which a command names its store. A server with another store refuses the command.
pub const STORE: &str = "covernote-store";

/// Longest silence while the body of a request arrives.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// Longest time for the body of a request to arrive, unless the body is a file.
const BODY_DEADLINE: Duration = Duration::from_secs(300);

/// Most bytes of an uploaded file.
const MOST_OF_FILE: u64 = 4 << 30;

/// Who sent a request.
#[derive(Debug, Clone, Copy)]
pub enum RequestOrigin {
    /// A user of this machine, identified by the credentials of the socket or of this process.
    Local {
        /// Numeric user id.
        uid: u32,
    },
    /// A caller over the network, whose request must have a token.
    Remote,
}

impl Who {
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Who::User(uid, _) => Actor::User(*uid),
            Who::Operator(signed_in) => Actor::Operator(signed_in.operator.id),
        }
    }

    /// Actor and action, as audit entries name them.
    fn acting(&self, action: &Action) -> Acting {
        let name = action.about.name;
        match self {
            Who::User(..) => Acting::of(Via::Socket, name).by(self.actor()),
            Who::Operator(signed_in) => {
                let via = match signed_in.secret.kind {
                    SecretKind::Session => Via::Console,
                    _ => Via::Https,
                };
                let mut acting = Acting::of(via, name).by(self.actor());
                acting.session = Some(signed_in.secret.short_id());
                acting
            }
        }
    }
}

/// Facts and functions of the serving process.
#[derive(Clone)]
pub struct Serving {
    /// Version of the program, for every answer.
    pub version: &'static str,
    /// Description of the store without credentials, for every answer.
    pub store: String,
    /// Address of the hosted pages where customers buy. If empty, they have the service's own address.
    pub journey_url: String,
    /// Address of the console. Empty if there is no console.
    pub console_url: String,
    /// Payments above this amount need a second operator's approval, if the store has no amount yet.
    pub approval_above: Rupees,
    /// How often an operator may see personal data or secrets in an hour without an approval.
    pub reveals_per_hour: u32,
    pub judge_catalogue: JudgeCatalogue,
    pub verify: Verify,
    pub examine: Examine,
    /// Writes the log of access, and reads the file with the signed heads of the audit trail.
    pub trail: Arc<dyn Trail>,
    /// The identity provider, if operators may sign in by one.
    pub provider: Option<ProviderSettings>,
    /// Whether a link signs in to the console without a passkey.
    pub is_demo: bool,
}

pub(crate) struct Api {
    pub(crate) service: Arc<Service>,
    pub(crate) serving: Serving,
}

/// Router of the operators' API. Each request must have a [`RequestOrigin`] among its extensions.
pub fn router(service: Arc<Service>, serving: Serving) -> Router {
    let api = Api::of(service, serving);
    routes().fallback(nothing_here).method_not_allowed_fallback(wrong_method).with_state(api)
}

/// Routes of all operators' actions and of the OpenAPI document.
pub(crate) fn routes() -> Router<Arc<Api>> {
    let mut router = Router::new().route(&format!("{BASE}/openapi.json"), get(document_bytes));
    for action in ACTIONS.iter() {
        let method = match action.about.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
        };
        let handler = async move |State(api): State<Arc<Api>>, path: RawPathParams, request: Request| {
            answer(&api, action, &path, request).await
        };
        router = router.route(&format!("{BASE}{}", action.about.path), on(method, handler));
    }
    router
}

/// Serves one connection of a caller until it ends.
pub async fn serve_connection(
    router: Router,
    caller: RequestOrigin,
    connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
) {
    let service = TowerToHyperService::new(router.layer(Extension(caller)));
    // If the caller hangs up, it needs no answer.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
}

async fn document_bytes(asked: HeaderMap) -> Response {
    static FILE: LazyLock<DocumentFile> = LazyLock::new(|| DocumentFile::of(&document::document()));
    FILE.answer(&asked)
}

pub(crate) async fn nothing_here(request: Request) -> Response {
    Problem::new(
        Code::R4040,
        "This server does not have this action; the server may be older than the command.",
    )
    .answer(request.uri().path())
}

pub(crate) async fn wrong_method(request: Request) -> Response {
    Problem::new(Code::R4050, "This path does not accept this HTTP method.").answer(request.uri().path())
}

async fn answer(api: &Arc<Api>, action: &'static Action, path: &RawPathParams, request: Request) -> Response {
    let mut response = answer_alone(api, action, path, request).await;
    if let Ok(facts) = HeaderValue::from_str(&api.facts().to_string()) {
        response.headers_mut().insert(SERVER, facts);
    }
    response
}

async fn answer_alone(
    api: &Arc<Api>,
    action: &'static Action,
    path: &RawPathParams,
    request: Request,
) -> Response {
    let instance = request.uri().path().to_owned();
    match run(api, action, path, request).await {
        Ok(Answer { file: Some(file), .. }) => file.into_response(),
        Ok(mut answer) => {
            if let Some(fields) = answer.json.as_object_mut() {
                fields.insert("server".to_owned(), api.facts());
            }
            (answer.status(), axum::Json(answer.json)).into_response()
        }
        Err(problem) => {
            if let Some(cause) = &problem.cause {
                tracing::error!(error.cause = %cause, "{} failed: {cause}", action.about.name);
            }
            problem.with_cause().answer(&instance)
        }
    }
}

/// Runs an operator's action, with a line in the log of access before it and after it. If the first line
/// cannot be written, the action does not run.
async fn run(
    api: &Arc<Api>,
    action: &'static Action,
    path: &RawPathParams,
    request: Request,
) -> Result<Answer> {
    let caller = request.extensions().get::<RequestOrigin>().copied();
    let who = api.who(caller, request.headers()).await?;
    api.accepts_store(request.headers())?;
    let query = match action.about.method {
        Method::Get => request.uri().query().unwrap_or_default().to_owned(),
        // A POST has its fields only in the body.
        Method::Post => String::new(),
    };
    let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut asked = Asked { path, query, body: Vec::new() };
    let trail = &api.serving.trail;
    // The body of a refused caller is not read.
    if let Err(refused) = decide(&who, &action.about, api.service.team.now()) {
        trail.refused(&line_of(action, &asked, &who));
        return Err(refused);
    }
    let headers = request.headers().clone();
    let (body, upload) = match action.about.takes_file.is_some() {
        true => (Vec::new(), Some(Arc::new(received_file(request.into_body()).await?))),
        false => {
            let body = timeout(BODY_DEADLINE, received(request.into_body(), action.about.most_bytes));
            (body.await.unwrap_or_else(|_| Err(late()))?, None)
        }
    };
    if !body.is_empty() && action.about.method == Method::Get {
        return Err(Problem::new(Code::V4000, "A GET must have no body."));
    }
    asked.body = body;
    let who = match action.about.method {
        Method::Get => who,
        // The session may have ended while the body arrived.
        Method::Post => {
            let who = api.who(caller, &headers).await?;
            decide(&who, &action.about, api.service.team.now())?;
            who
        }
    };
    let keyed = match action.about.method {
        Method::Post if !action.about.gives_file => {
            Keyed::of(&api.service, action.about.name, &who, (&headers, &asked))?
        }
        _ => None,
    };
    carry_out(api, action, who, asked, How { upload, keyed, asks_first: false }).await
}

/// How an action is carried out.
#[derive(Default)]
pub(crate) struct How {
    /// File of the request, if the action takes one.
    pub(crate) upload: Option<Arc<std::fs::File>>,
    /// Idempotency key of the request, if it has one.
    pub(crate) keyed: Option<Keyed>,
    /// Whether a needed approval is not requested, but only described.
    pub(crate) asks_first: bool,
}

/// Runs an action of a caller who may do it, with its lines in the log of access and its entry in the audit trail.
pub(crate) async fn carry_out(
    api: &Arc<Api>,
    action: &'static Action,
    who: Who,
    asked: Asked,
    How { upload, keyed, asks_first }: How,
) -> Result<Answer> {
    if let Some(keyed) = &keyed
        && let Some(earlier) = keyed.replay(&api.service).await?
    {
        return Ok(earlier);
    }
    let response = keyed.as_ref().map(|keyed| Arc::new(keyed.empty()));
    let line = line_of(action, &asked, &who);
    api.serving.trail.begins(&line).map_err(|cause| Problem::new(Code::E5030, cause))?;
    // The action runs to its end, even if its command is stopped.
    let api = api.clone();
    let mut acting = who.acting(action);
    acting.reason = asked.text("reason");
    let done = tokio::spawn(async move {
        let on = On { upload, response, asks_first, ..api.on(who) };
        let done = act_with_entry(&on, action, &asked, acting).await;
        let done = match keyed {
            Some(keyed) => keyed.end(&api.service, done).await,
            None => done,
        };
        api.serving.trail.ended(&line, done.as_ref().err().map(|problem| problem.code));
        done
    });
    done.await.unwrap_or_else(|cause| {
        Err(Problem::unexpected(format!("{} ended unexpectedly: {cause}", action.about.name)))
    })
}

fn late() -> Problem {
    Problem::new(Code::V4130, "The body took too long to arrive.")
}

/// The next part of a body. `None` after the last one.
async fn part(parts: &mut BodyDataStream) -> Result<Option<Bytes>> {
    let part = timeout(LONGEST_SILENCE, parts.next()).await.map_err(|_| late())?;
    let cut_off = |cause| Problem::new(Code::V4130, format!("The body cannot be read: {cause}."));
    part.transpose().map_err(cut_off)
}

async fn received(body: Body, most: usize) -> Result<Vec<u8>> {
    let (mut parts, mut bytes) = (body.into_data_stream(), Vec::new());
    while let Some(part) = part(&mut parts).await? {
        if bytes.len() + part.len() > most {
            let detail = format!("The body is too large: it must have at most {} KiB.", most / 1024);
            return Err(Problem::new(Code::V4130, detail));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// Stores an uploaded file in an unnamed temporary file.
async fn received_file(body: Body) -> Result<std::fs::File> {
    let full =
        |cause: std::io::Error| Problem::new(Code::E5030, format!("The file cannot be stored: {cause}."));
    let mut file = tempfile::tempfile().map_err(full)?;
    let (mut parts, mut bytes) = (body.into_data_stream(), 0);
    while let Some(part) = part(&mut parts).await? {
        bytes += part.len() as u64;
        if bytes > MOST_OF_FILE {
            return Err(Problem::new(Code::V4130, "A file must have at most 4 GiB: split it."));
        }
        file.write_all(&part).map_err(full)?;
    }
    Ok(file)
}

/// Line about an operator's action for the log of access.
fn line_of(action: &Action, asked: &Asked, who: &Who) -> ActLine {
    let query: Vec<(String, String)> = serde_urlencoded::from_str(&asked.query).unwrap_or_default();
    let body: Map<String, Value> = serde_json::from_slice(&asked.body).unwrap_or_default();
    let others = query.iter().map(|(name, value)| (name, value.as_str()));
    let others = others.chain(body.iter().map(|(name, value)| (name, value.as_str().unwrap_or_default())));
    let mut records: Vec<String> = asked.path.iter().map(|(_, value)| named(value)).collect();
    let mut fields = Vec::new();
    for (name, value) in others {
        if is_id(value) {
            records.push(value.to_owned());
        }
        fields.push(name.clone());
    }
    let (user, sudo_user, operator) = match who {
        Who::User(uid, sudo_user) => (Some(*uid), *sudo_user, None),
        Who::Operator(signed_in) => (None, None, Some(signed_in.operator.id.to_string())),
    };
    ActLine { act: action.about.name, user, operator, sudo_user, fields, records }
}

/// Runs an operator's action. A POST, or an action that returns a file, gets at least one entry in the audit
/// trail. If the entry cannot be written, the caller gets an error instead of the answer.
async fn act_with_entry(on: &On, action: &Action, asked: &Asked, acting: Acting) -> Result<Answer> {
    let acting = Arc::new(acting);
    act_as(acting.clone(), async {
        let mut answer = action.run(on, asked).await?;
        let may_change = action.about.method == Method::Post || action.about.gives_file;
        if may_change && answer.needs.is_none() && acting.entries() == 0 {
            on.service.audit.note(action.about.name, &asked.subject()).await?;
        }
        // An answer about a record lists the approvals that wait for it.
        if let (Method::Get, [(_, record)]) = (action.about.method, &asked.path[..]) {
            let waiting = on.service.approvals.of_record(record).await?;
            if let (false, Some(json)) = (waiting.is_empty(), answer.json.as_object_mut()) {
                let names = on.names().await?;
                let waiting = waiting.iter().map(|one| ApprovalShown::of(one, &names).json());
                json.insert("pending_approvals".to_owned(), waiting.collect());
            }
        }
        Ok(answer)
    })
    .await
}

impl Api {
    pub(crate) fn of(service: Arc<Service>, serving: Serving) -> Arc<Self> {
        Arc::new(Api { service, serving })
    }

    /// Context for an operator's action of this caller.
    pub(crate) fn on(&self, who: Who) -> On {
        let Serving {
            journey_url,
            console_url,
            trail,
            approval_above,
            reveals_per_hour,
            judge_catalogue,
            verify,
            examine,
            ..
        } = self.serving.clone();
        let (service, actions) = (self.service.clone(), &ACTIONS[..]);
        On {
            service,
            journey_url,
            console_url,
            trail,
            approval_above,
            reveals_per_hour,
            judge_catalogue,
            verify,
            examine,
            upload: None,
            actions,
            who,
            approved: None,
            asks_first: false,
            response: None,
        }
    }

    /// Identifies the caller of a request.
    async fn who(&self, caller: Option<RequestOrigin>, headers: &HeaderMap) -> Result<Who> {
        match caller {
            Some(RequestOrigin::Local { uid }) => {
                let named = headers.get(SUDO_USER);
                let named = named.and_then(|user| user.to_str().ok()?.parse().ok());
                // Only root may name the user of `sudo`: another user could name anybody.
                Ok(Who::User(uid, named.filter(|_| uid == 0)))
            }
            Some(RequestOrigin::Remote) => {
                Ok(Who::Operator(Box::new(self.signed_in_operator(headers).await?)))
            }
            None => Err(Problem::unexpected("a request has no caller")),
        }
    }

    /// Operator to whom the bearer token of the request belongs.
    ///
    /// # Errors
    /// A problem with status 401 without a valid token.
    pub(crate) async fn signed_in_operator(&self, headers: &HeaderMap) -> Result<SignedIn> {
        let shown = headers.get(header::AUTHORIZATION);
        let token = shown.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let found = match token {
            Some(token) => self.service.team.signed_in(token.trim()).await?,
            None => None,
        };
        found.ok_or_else(|| {
            let detail = "Sign in first ('covernote login'): there is no token, or it is no longer valid.";
            Problem::unauthenticated("Bearer", detail)
        })
    }

    /// Refuses a command for another store, such as one with another `--database`.
    fn accepts_store(&self, headers: &HeaderMap) -> Result<()> {
        let (own, asked) = (&self.serving.store, headers.get(STORE).map(HeaderValue::as_bytes));
        match asked {
            Some(asked) if asked != own.as_bytes() => {
                let asked = String::from_utf8_lossy(asked);
                let detail = format!("The server has the store {own}, but the command is for {asked}.");
                Err(Problem::new(Code::S4090, detail))
            }
            _ => Ok(()),
        }
    }

    /// Version, process, store and catalogue of this server.
    fn facts(&self) -> Value {
        json!({
            "version": self.serving.version, "process": std::process::id(), "store": self.serving.store,
            "catalogue": self.service.shared.catalogues.running().hash().to_string(),
        })
    }
}

impl IntoResponse for File {
    fn into_response(self) -> Response {
        let media = [(header::CONTENT_TYPE, HeaderValue::from_static(self.media))];
        let mut response = (media, self.body).into_response();
        if let Some(bytes) = self.bytes {
            response.headers_mut().insert(header::CONTENT_LENGTH, bytes.into());
        }
        if let Some(note) = self.note.and_then(|note| HeaderValue::try_from(note).ok()) {
            response.headers_mut().insert(FILE_NOTE, note);
        }
        response
    }
}
