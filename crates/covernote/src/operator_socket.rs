//! The socket on which the running process serves the operators' API to the users of its machine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use domain::money::Rupees;
use operators::{Caller, Examine, JudgeCatalogue, ProviderSettings, Router, Serving, Verify};
use service::Service;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use crate::audit::Acts;
use crate::failure::{Failure, Result};
use crate::machine;
use crate::settings::Settings;
use crate::verification;
use crate::wiring::{Engine, connectors, engine, make_folder, validate_insurers};

/// Longest wait for acts that are under way when the process stops.
const LONGEST_END: Duration = Duration::from_secs(10);

/// Bytes that the path of a socket may have on Linux.
const LONGEST_PATH: usize = 107;

/// Wait after a connection that could not be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// Where the socket is.
pub(crate) fn path(settings: &Settings) -> PathBuf {
    match settings.operator_socket.as_str() {
        "" => Path::new(&settings.data).join("run").join("operator.sock"),
        path => path.into(),
    }
}

/// The store of the settings, as a server and its commands name it: the file, or the name of the database. The address of a database
/// may have a password in it.
pub(crate) fn store(settings: &Settings) -> String {
    match engine(settings) {
        Ok(Engine::Postgres(_)) => {
            let name = settings.database.split('?').next().and_then(|address| address.rsplit('/').next());
            format!("PostgreSQL, database {}", name.unwrap_or_default())
        }
        _ => {
            let folder = Path::new(&settings.data);
            let folder = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
            folder.unwrap_or_default().join(storage::sqlite::FILE).display().to_string()
        }
    }
}

/// What a process that serves the store of the settings says of itself.
///
/// # Errors
/// [`Failure::Configuration`] for an identity provider that is not set whole.
pub(crate) fn serving(settings: &Settings) -> Result<Serving> {
    let (store, trail) = (store(settings), Arc::new(Acts(settings.clone())));
    let (journey_url, console_url) = (settings.journey_url.clone(), settings.console_address());
    let insurers = connectors(settings);
    let judge_catalogue: JudgeCatalogue = Arc::new(move |catalogue| {
        validate_insurers(&insurers, catalogue).map_err(|failure| failure.to_string())
    });
    let (provider, store_settings) = (provider(settings)?, settings.clone());
    let verify: Verify = Arc::new(move |extent| {
        verification::store(&store_settings, extent).map_err(|failure| failure.to_string())
    });
    let machine = settings.clone();
    let examine: Examine = Arc::new(move || machine::findings(&machine));
    let approval_above = Rupees::whole(settings.approval_above.into());
    Ok(Serving {
        version: env!("CARGO_PKG_VERSION"),
        store,
        journey_url,
        console_url,
        approval_above,
        judge_catalogue,
        verify,
        examine,
        trail,
        provider,
    })
}

/// The identity provider of the settings.
fn provider(settings: &Settings) -> Result<Option<ProviderSettings>> {
    let (issuer, client_id, secret) =
        (&settings.oidc_issuer, &settings.oidc_client_id, &settings.oidc_client_secret);
    if issuer.is_empty() {
        return Ok(None);
    }
    if client_id.is_empty() {
        return Err(Failure::Configuration("oidc_client_id: oidc_issuer needs it".into()));
    }
    let unread = |cause: io::Error| Failure::Configuration(format!("oidc_client_secret: {secret}: {cause}"));
    let secret = match secret.as_str() {
        "" => None,
        path => Some(fs::read_to_string(path).map_err(unread)?.trim().to_owned()),
    };
    Ok(Some(ProviderSettings { issuer: issuer.clone(), client_id: client_id.clone(), client_secret: secret }))
}

/// A connection to the process that serves the store of the settings. `None` if none runs.
///
/// # Errors
/// [`Failure::Away`] if one runs that this user may not ask: the store is not opened beside it then.
pub(crate) async fn connect(settings: &Settings) -> Result<Option<UnixStream>> {
    let path = path(settings);
    match UnixStream::connect(&path).await {
        Ok(socket) => Ok(Some(socket)),
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => Ok(None),
        // No process can serve on a path that is too long for a socket.
        Err(cause) if cause.kind() == ErrorKind::InvalidInput => Ok(None),
        Err(cause) => {
            Err(Failure::Away(format!("the server at {} cannot be asked: {cause}", path.display())))
        }
    }
}

/// The task that serves the socket.
pub(crate) struct Serves {
    path: PathBuf,
    lock: File,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Serves {
    /// Takes no more connections, and waits for the acts that are under way, for [`LONGEST_END`] at most.
    pub(crate) async fn finish(self) {
        let Serves { path, lock, stop, task } = self;
        // A command that comes now waits until this process has ended, and does the act itself.
        let _ = fs::remove_file(path);
        drop(lock);
        let _ = stop.send(());
        if timeout(LONGEST_END, task).await.is_err() {
            tracing::warn!("an operator's command was cut off: it took longer than the stop may take");
        }
    }
}

/// Locks the place of the socket until the file is dropped or the process ends. `None` if another process has it: on PostgreSQL several
/// may start in one folder.
fn lock(socket: &Path) -> io::Result<Option<File>> {
    let mut path = socket.as_os_str().to_owned();
    path.push(".lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(cause)) => Err(cause),
    }
}

/// Serves the API on the socket. A socket that a process left behind is replaced; one that another process serves on is left to it,
/// and nothing is served.
///
/// # Errors
/// [`Failure::Away`] if the socket cannot be made.
pub(crate) async fn serve(service: Arc<Service>, settings: &Settings) -> Result<Option<Serves>> {
    let path = path(settings);
    let away = |cause: io::Error| {
        Failure::Away(format!("the operators' socket {} cannot be made: {cause}", path.display()))
    };
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let Some(lock) = lock(&path).map_err(away)? else {
        tracing::info!("another process serves operators at {}: commands ask that one", path.display());
        return Ok(None);
    };
    // A file that is no socket is not removed: then the socket cannot be made.
    if fs::symlink_metadata(&path).is_ok_and(|there| there.file_type().is_socket()) {
        fs::remove_file(&path).map_err(away)?;
    }
    let listener = match UnixListener::bind(&path) {
        Ok(listener) => listener,
        Err(cause) if cause.kind() == ErrorKind::InvalidInput => {
            tracing::warn!(
                "the path of the operators' socket {} has more than {LONGEST_PATH} bytes: commands cannot ask this process until operator_socket names a shorter one",
                path.display()
            );
            return Ok(None);
        }
        Err(cause) => return Err(away(cause)),
    };
    fs::set_permissions(&path, fs::Permissions::from_mode(0o660)).map_err(away)?;
    let (stop, stopped) = oneshot::channel();
    let task = tokio::spawn(accept_until(stopped, listener, operators::router(service, serving(settings)?)));
    Ok(Some(Serves { path, lock, stop, task }))
}

async fn accept_until(mut stopped: oneshot::Receiver<()>, listener: UnixListener, router: Router) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = &mut stopped => break,
            _ = connections.join_next(), if !connections.is_empty() => continue,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((connection, _)) => {
                // A connection without credentials is dropped.
                let Ok(peer) = connection.peer_cred() else { continue };
                let caller = Caller::Local { uid: peer.uid() };
                connections.spawn(operators::serve_connection(router.clone(), caller, connection));
            }
            Err(cause) => {
                tracing::warn!("an operator's command cannot be taken: {cause}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}
