//! The socket on which the running process serves the operators' API to the users of its machine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use domain::money::Rupees;
use operators::{Examine, JudgeCatalogue, ProviderSettings, RequestOrigin, Router, Serving, Verify};
use service::Service;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{MissedTickBehavior, timeout};

use crate::audit::Acts;
use crate::failure::{Failure, Result};
use crate::machine;
use crate::settings::Settings;
use crate::verification;
use crate::wiring::{Engine, connectors, engine, make_folder, validate_insurers};

/// Longest wait for operators' actions that are running when the process stops.
const LONGEST_END: Duration = Duration::from_secs(10);

/// Most bytes of a socket's path on Linux.
const LONGEST_PATH: usize = 107;

/// Time between two checks that the socket's file is still there.
const LOOK: Duration = Duration::from_secs(2);

/// Time between two searches for interrupted actions.
const INTERRUPTED_PERIOD: Duration = Duration::from_secs(15);

/// Wait after a connection could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// Path of the operators' socket.
pub(crate) fn path(settings: &Settings) -> PathBuf {
    match settings.operator_socket.as_str() {
        "" => Path::new(&settings.data).join("run").join("operator.sock"),
        path => path.into(),
    }
}

/// Name of the store, by which a server recognizes its commands: the path of the file, or the database's
/// name. It does not contain the database's address, which may have a password.
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

/// Facts and functions of this process that the operators' API needs.
///
/// # Errors
/// [`Failure::Configuration`] if the settings of the identity provider are incomplete.
pub(crate) fn serving(settings: &Settings) -> Result<Serving> {
    let (store, trail) = (store(settings), Arc::new(Acts::of(settings)));
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
        reveals_per_hour: settings.reveals_per_hour,
        judge_catalogue,
        verify,
        examine,
        trail,
        provider,
        is_demo: false,
    })
}

/// The identity provider of the settings, if any.
fn provider(settings: &Settings) -> Result<Option<ProviderSettings>> {
    let (issuer, client_id, secret) =
        (&settings.oidc_issuer, &settings.oidc_client_id, &settings.oidc_client_secret);
    if issuer.is_empty() {
        return Ok(None);
    }
    if client_id.is_empty() {
        return Err(Failure::Configuration("oidc_client_id: must be set if oidc_issuer is set".into()));
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
/// [`Failure::Away`] if a process runs, but this user cannot connect to it. The caller must then not open the
/// store itself.
pub(crate) async fn connect(settings: &Settings) -> Result<Option<UnixStream>> {
    let path = path(settings);
    match UnixStream::connect(&path).await {
        Ok(socket) => Ok(Some(socket)),
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => Ok(None),
        // No process can serve on a path that is too long for a socket.
        Err(cause) if cause.kind() == ErrorKind::InvalidInput => Ok(None),
        Err(cause) => {
            Err(Failure::Away(format!("the server at {} cannot be reached: {cause}", path.display())))
        }
    }
}

/// The task that serves the socket.
pub(crate) struct Serves {
    lock: File,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Serves {
    /// Accepts no more connections, and waits for running operators' actions, for [`LONGEST_END`] at most.
    pub(crate) async fn finish(self) {
        let Serves { lock, stop, task } = self;
        // A command that comes now waits until this process has ended, and runs its action itself.
        let _ = stop.send(());
        drop(lock);
        if timeout(LONGEST_END, task).await.is_err() {
            tracing::warn!(
                "an operator's command was aborted, because it did not end before the server had to stop"
            );
        }
    }
}

/// Locks the path of the socket until the file is dropped or the process ends. `None` if another process has
/// the lock: on PostgreSQL, several processes may use one folder.
fn lock(socket: &Path) -> io::Result<Option<File>> {
    let mut path = socket.as_os_str().to_owned();
    path.push(".lock");
    let file = storage::open_or_create(Path::new(&path), OpenOptions::new().write(true))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(cause)) => Err(cause),
    }
}

/// Serves the API on the socket, and replaces a socket that an earlier process left. `None` if another
/// process serves there, or if the path is too long.
///
/// # Errors
/// [`Failure::Away`] if the socket cannot be created.
pub(crate) async fn serve(service: Arc<Service>, settings: &Settings) -> Result<Option<Serves>> {
    let path = path(settings);
    let away = |cause: io::Error| {
        Failure::Away(format!("the operators' socket {} cannot be created: {cause}", path.display()))
    };
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let Some(lock) = lock(&path).map_err(away)? else {
        tracing::info!(
            "another process serves operators at {}: operators' commands use that process",
            path.display()
        );
        return Ok(None);
    };
    // A file that is not a socket is not removed. Then the socket cannot be created.
    if fs::symlink_metadata(&path).is_ok_and(|there| there.file_type().is_socket()) {
        fs::remove_file(&path).map_err(away)?;
    }
    let socket = match Socket::bind(&path) {
        Ok(socket) => socket,
        Err(cause) if cause.kind() == ErrorKind::InvalidInput => {
            tracing::warn!(
                "the path of the operators' socket {} has more than {LONGEST_PATH} bytes: operators' commands cannot reach this process until operator_socket names a shorter path",
                path.display()
            );
            return Ok(None);
        }
        Err(cause) => return Err(away(cause)),
    };
    let serving = serving(settings)?;
    tokio::spawn(end_interrupted(service.clone(), serving.clone()));
    let (stop, stopped) = oneshot::channel();
    let accepting = accept_until(stopped, path, socket, operators::router(service, serving));
    Ok(Some(Serves { lock, stop, task: tokio::spawn(accepting) }))
}

/// Ends approved actions that a killed process left unfinished.
async fn end_interrupted(service: Arc<Service>, serving: Serving) {
    let mut period = tokio::time::interval(INTERRUPTED_PERIOD);
    loop {
        period.tick().await;
        if let Err(problem) = operators::end_interrupted(&service, &serving).await {
            tracing::warn!("interrupted actions of operators could not be ended: {}", problem.detail());
        }
    }
}

/// The socket, with the number of its file.
struct Socket {
    listener: UnixListener,
    inode: u64,
}

impl Socket {
    fn bind(path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o660))?;
        Ok(Socket { listener, inode: fs::symlink_metadata(path)?.ino() })
    }

    /// Makes the socket again if its file was removed, because commands could not reach this process any more.
    fn look(&mut self, path: &Path) {
        match fs::symlink_metadata(path) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => {}
            Ok(found) if found.ino() != self.inode => {
                tracing::warn!(
                    "the operators' socket {} was replaced by another file: remove it",
                    path.display()
                );
                return;
            }
            _ => return,
        }
        let folder = path.parent().map_or(Ok(()), make_folder);
        match folder.and_then(|()| Socket::bind(path).map_err(|cause| Failure::Away(cause.to_string()))) {
            Ok(socket) => {
                *self = socket;
                metrics::counter!("covernote_operator_socket_remade_total").increment(1);
                tracing::warn!("the operators' socket {} was removed, and is there again", path.display());
            }
            Err(failure) => tracing::warn!(
                "the operators' socket {} was removed, and cannot be made again: {failure}",
                path.display()
            ),
        }
    }
}

async fn accept_until(mut stopped: oneshot::Receiver<()>, path: PathBuf, mut socket: Socket, router: Router) {
    let mut connections = JoinSet::new();
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let accepted = tokio::select! {
            _ = &mut stopped => break,
            _ = connections.join_next(), if !connections.is_empty() => continue,
            _ = look.tick() => {
                socket.look(&path);
                continue;
            }
            accepted = socket.listener.accept() => accepted,
        };
        match accepted {
            Ok((connection, _)) => {
                // A connection without credentials is dropped.
                let Ok(peer) = connection.peer_cred() else { continue };
                let caller = RequestOrigin::Local { uid: peer.uid() };
                connections.spawn(operators::serve_connection(router.clone(), caller, connection));
            }
            Err(cause) => {
                tracing::warn!("the connection of an operator's command could not be accepted: {cause}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    // Another process may have made its own socket already.
    if fs::symlink_metadata(&path).is_ok_and(|found| found.ino() == socket.inode) {
        let _ = fs::remove_file(&path);
    }
    drop(socket);
    while connections.join_next().await.is_some() {}
}
