//! Listener with time limits, so that slow clients do not occupy connections.
//!
//! Uses `api`, `app`, `contract`, `counts`, `layers`, `peer`.

mod connection;
mod connections;
mod guard;
mod tls;
mod unread;

use std::future::Future;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use futures_util::future::BoxFuture;
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::app::{App, Limits};
use crate::peer::Peer;
use connection::{Accepted, Site};
use connections::Connections;

pub use tls::Tls;

/// Maximum number of headers in one request.
const MOST_HEADERS: usize = 64;

/// Maximum number of bytes of one request's headers.
const HEADER_BYTES: usize = 32 * 1024;

/// Longest time for unfinished requests to end once the server is stopping.
pub const DRAIN: Duration = Duration::from_secs(30);

/// Time in which requests are still accepted after the stop, because their clients could not know that the
/// server stops. Every response in this time closes its connection.
const LAST_REQUESTS: Duration = Duration::from_millis(500);

/// Time between two checks whether all connections are closed.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Pause before the next connection is accepted, if the system had no file descriptor or memory for one.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// What all connections of the listener must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Accept requests.
    Serving,
    /// Finish the current requests, then close.
    Finishing,
    /// Close at once.
    Ended,
}

/// Serves the API and the pages until `stop`. Then it accepts no new connections, answers 503 at `/readyz`,
/// and lets unfinished requests end within [`DRAIN`].
///
/// # Errors
/// If the operating system reports an error of the listener.
pub fn serve(
    app: App,
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> BoxFuture<'static, io::Result<()>> {
    serve_until(Box::pin(stop), app, listener, tls)
}

/// Returns a boxed future, so that the code of connections is compiled in this crate. That code is faster
/// than if the caller's crate compiles it.
fn serve_until(
    stop: BoxFuture<'static, ()>,
    app: App,
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        let draining = app.clone();
        let stop = async move {
            stop.await;
            draining.drain();
        };
        let site = Site {
            limits: app.limits.clone(),
            router: crate::router(app.clone()),
            contract: Some((app, &*crate::api::CONTRACT)),
            tls,
        };
        listen_until(Box::pin(stop), site, listener).await
    })
}

/// Serves `router` with these limits, as long as the process runs.
///
/// # Errors
/// If the operating system reports an error of the listener.
pub fn listen(
    router: Router,
    limits: Limits,
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
) -> BoxFuture<'static, io::Result<()>> {
    let site = Site { limits, router, contract: None, tls };
    Box::pin(listen_until(Box::pin(std::future::pending()), site, listener))
}

/// Accepts connections until `stop`, also those that are waiting then. Returns after all connections have
/// ended.
async fn listen_until(stop: BoxFuture<'static, ()>, site: Site, listener: TcpListener) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let connections = Connections::new(&site.limits);
    let site = Arc::new(site);
    let (phase, _) = watch::channel(Phase::Serving);
    let mut stop = stop;
    loop {
        tokio::select! {
            biased;
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => begin(stream, &site, &connections, &phase),
                // A connection that failed before it was accepted is not an error of the listener.
                Err(fault) if is_of_connection(&fault) => {}
                Err(fault) => {
                    tracing::warn!("new connections cannot be accepted for a moment: {fault}");
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            },
            () = &mut stop => break,
        }
    }
    let listener = listener.into_std()?;
    while let Ok((stream, _)) = listener.accept() {
        stream.set_nonblocking(true)?;
        begin(TcpStream::from_std(stream)?, &site, &connections, &phase);
    }
    drop(listener);
    let until = Instant::now() + LAST_REQUESTS;
    while phase.receiver_count() > 0 && Instant::now() < until {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    phase.send_replace(Phase::Finishing);
    if tokio::time::timeout(DRAIN, phase.closed()).await.is_err() {
        phase.send_replace(Phase::Ended);
    }
    Ok(())
}

/// Starts to serve a connection, if the limits allow another one.
fn begin(stream: TcpStream, site: &Arc<Site>, connections: &Connections, phase: &watch::Sender<Phase>) {
    let Ok(address) = stream.peer_addr() else { return };
    let peer = Peer::of(address.ip());
    let is_proxy = site.limits.trusted_proxies.contains(address.ip());
    if let Some((permit, used)) = connections.admit(peer, is_proxy) {
        let accepted = Accepted { stream, peer, permit, used };
        tokio::spawn(connection::run(site.clone(), accepted, phase.subscribe()));
    }
}

fn is_of_connection(fault: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(fault.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
