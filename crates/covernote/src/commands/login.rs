//! `covernote login` and `covernote logout`: sessions of the command line at the console of a server on
//! another machine.

use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;
use std::{env, fs, io};

use domain::date::Timestamp;
use http_client::{Client, Connecting, StatusCode};
use operators::{Asking, HeaderValue};
use serde_json::{Value, json};
use service::clock::Clock;
use system::SystemClock;
use toml::Table;
use url::{Host, Url};

use super::block_on;
use crate::cli::AtServer;
use crate::failure::{Failure, Result};
use crate::output;
use crate::settings::{SERVER, TOKEN_FILE};

/// Most bytes of an answer of the console.
const MOST_BYTES: usize = 64 * 1024;

/// Says that a command acts on this machine, if the environment names a server on another one.
pub(super) fn say_that_it_is_ignored() {
    static SAID: Once = Once::new();
    if env::var_os(SERVER).is_some_and(|named| !named.is_empty()) {
        SAID.call_once(|| {
            output::message(&format!("{SERVER} is ignored: this command acts on this machine"))
        });
    }
}

/// Address of the server that the flag names, else the environment variable.
pub(super) fn server(flag: Option<&str>) -> Result<Option<String>> {
    let named = flag.map(str::to_owned).or_else(|| env::var(SERVER).ok());
    let Some(named) = named.filter(|named| !named.is_empty()) else { return Ok(None) };
    let server = named.trim_end_matches('/').to_owned();
    let url = Url::parse(&server).ok().filter(|url| url.username().is_empty() && url.password().is_none());
    let is_here = |url: &Url| match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    match url.is_some_and(|url| url.scheme() == "https" || is_here(&url)) {
        true => Ok(Some(server)),
        false => Err(Failure::Configuration(format!("--server: {server} must begin with https://"))),
    }
}

/// Addresses a request to a server on another machine, and adds the token of this user.
pub(super) fn addressed(server: &str, request: Asking) -> Result<Asking> {
    let token = match env::var_os(TOKEN_FILE) {
        Some(file) => read_private(Path::new(&file))?,
        None => {
            let login =
                || Failure::Configuration(format!("sign in first: covernote login --server {server}"));
            token_of(&read(&credentials_file()?)?, server).ok_or_else(login)?
        }
    };
    let (mut head, body) = request.into_parts();
    let wrong =
        |cause: &dyn std::fmt::Display| Failure::Configuration(format!("--server: {server}: {cause}"));
    head.uri = format!("{server}{}", head.uri).parse().map_err(|cause| wrong(&cause))?;
    head.headers.remove("host");
    let bearer = HeaderValue::from_str(&format!("Bearer {}", token.trim())).map_err(|cause| wrong(&cause))?;
    head.headers.insert("authorization", bearer);
    Ok(Asking::from_parts(head, body))
}

/// The HTTP client for servers on other machines.
pub(super) fn client() -> Result<Client> {
    Client::trusting(Connecting::usual()).map_err(Failure::Away)
}

pub(super) fn run(AtServer { server: named }: AtServer) -> Result<()> {
    let server = server(named.as_deref())?.ok_or_else(no_server)?;
    block_on(async {
        let client = client()?;
        let device = post(&client, &server, "devices", &json!({ "machine": machine() }), None).await?;
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        output::message(&format!(
            "Open {} and type the code {}",
            text(&device, "verification_uri"),
            text(&device, "user_code")
        ));
        let pause = Duration::from_secs(device["interval"].as_u64().unwrap_or(5).clamp(1, 60));
        let expires_at: Option<Timestamp> = text(&device, "expires_at").parse().ok();
        let asked = json!({ "device_code": device["device_code"] });
        loop {
            tokio::time::sleep(pause).await;
            let outcome = match post(&client, &server, "devices/outcome", &asked, None).await {
                Ok(outcome) => outcome,
                // The server restarts, or is busy. The code stays valid.
                Err(Failure::Away(_)) if expires_at.is_some_and(|at| SystemClock.now() < at) => continue,
                Err(failure) => return Err(failure),
            };
            if outcome["state"] != "let_in" {
                continue;
            }
            let (name, expires_at) = (text(&outcome, "name"), text(&outcome, "expires_at"));
            let credential = ["name", "token", "expires_at"]
                .map(|field| (field.to_owned(), toml::Value::String(text(&outcome, field))));
            let file = credentials_file()?;
            let mut all = read(&file)?;
            all.insert(server.clone(), Table::from_iter(credential).into());
            write(&file, &all)?;
            output::message(&format!(
                "You are signed in at {server} as {name}, until {expires_at}. The token is in {}",
                file.display()
            ));
            return Ok(());
        }
    })
}

pub(super) fn run_logout(AtServer { server: named }: AtServer) -> Result<()> {
    let server = server(named.as_deref())?.ok_or_else(no_server)?;
    let file = credentials_file()?;
    let mut all = read(&file)?;
    let Some(token) = token_of(&all, &server) else {
        output::message(&format!("You are not signed in at {server}"));
        return Ok(());
    };
    block_on(async {
        let ended = post(&client()?, &server, "sign-out", &json!({}), Some(&token)).await;
        match ended {
            // A refusal means that the session had ended before.
            Ok(_) | Err(Failure::Failed(_)) => {
                all.remove(&server);
                write(&file, &all)?;
                output::message(&format!("You are signed out at {server}"));
                Ok(())
            }
            Err(failure) => Err(failure),
        }
    })
}

fn no_server() -> Failure {
    Failure::Configuration(format!(
        "--server: name the console, such as https://console.example, or set {SERVER}"
    ))
}

/// Name of the machine and of the user. The operator who confirms the code sees this name.
fn machine() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let user = env::var("USER").unwrap_or_default();
    format!("{name}, user {user} ({})", rustix::process::getuid().as_raw())
}

async fn post(client: &Client, server: &str, path: &str, body: &Value, token: Option<&str>) -> Result<Value> {
    let request = request_to(server, path, body, token)?;
    let away = |why: String| Failure::Away(format!("{server}: {why}"));
    let answer = client.send(request).await.map_err(away)?;
    let status = answer.status;
    let bytes = answer.body(MOST_BYTES).await.map_err(away)?.bytes;
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        return Err(away(format!("the server answered {}", status.as_u16())));
    }
    match status.is_success() {
        true => serde_json::from_slice(&bytes).map_err(|cause| away(cause.to_string())),
        false => Err(Failure::of_answer(status.as_u16(), &bytes, str::to_owned)),
    }
}

fn request_to(server: &str, path: &str, body: &Value, token: Option<&str>) -> Result<Asking> {
    let mut request = Asking::new(body.to_string().into());
    *request.method_mut() = "POST".parse().expect("a method");
    let uri = format!("{server}/operator/v1/{path}");
    *request.uri_mut() =
        uri.parse().map_err(|cause| Failure::Configuration(format!("--server: {uri}: {cause}")))?;
    request.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
    let bearer = token.and_then(|token| HeaderValue::from_str(&format!("Bearer {token}")).ok());
    if let Some(bearer) = bearer {
        request.headers_mut().insert("authorization", bearer);
    }
    Ok(request)
}

fn credentials_file() -> Result<PathBuf> {
    let of = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = of("XDG_CONFIG_HOME").or_else(|| of("HOME").map(|home| home.join(".config")));
    let none = || {
        Failure::Configuration(
            "neither HOME nor XDG_CONFIG_HOME is set: the command has no folder for the token".into(),
        )
    };
    Ok(folder.ok_or_else(none)?.join("covernote").join("credentials.toml"))
}

/// Reads the file with the sessions of this user: a TOML table for each server.
fn read(file: &Path) -> Result<Table> {
    if !file.exists() {
        return Ok(Table::new());
    }
    let text = read_private(file)?;
    toml::from_str(&text).map_err(|fault| Failure::Configuration(format!("{}: {fault}", file.display())))
}

/// Reads a file, and refuses it if other users may read it.
fn read_private(file: &Path) -> Result<String> {
    let broken = |cause: io::Error| Failure::Configuration(format!("{}: {cause}", file.display()));
    let mode = fs::metadata(file).map_err(broken)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(Failure::Configuration(format!(
            "{}: other users can read this file. Remove its token, and run: chmod 600 {0}",
            file.display()
        )));
    }
    fs::read_to_string(file).map_err(broken)
}

fn token_of(all: &Table, server: &str) -> Option<String> {
    Some(all.get(server)?.get("token")?.as_str()?.to_owned())
}

fn write(file: &Path, all: &Table) -> Result<()> {
    let broken = |cause: io::Error| Failure::Away(format!("{}: {cause}", file.display()));
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(broken)?;
    // A private temporary file, which gets the final name once it is complete.
    let mut written = tempfile::NamedTempFile::new_in(folder).map_err(broken)?;
    written.write_all(all.to_string().as_bytes()).map_err(broken)?;
    written.persist(file).map(|_| ()).map_err(|fault| broken(fault.error))
}
