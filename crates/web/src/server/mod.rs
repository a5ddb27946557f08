//! The listener, with the time limits that keep slow clients from holding connections.
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

/// Headers of one request, at most.
const MOST_HEADERS: usize = 64;

/// Bytes of one request's header, at most.
const HEADER_BYTES: usize = 32 * 1024;

/// How long requests in flight may go on once the server is stopping.
pub const DRAIN: Duration = Duration::from_secs(30);

/// How long connections stay open for requests that were sent before their client could know that the server stops.
/// Every response given meanwhile closes its connection.
const LAST_REQUESTS: Duration = Duration::from_millis(500);

/// How often the stopping server looks whether all connections are closed.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// How long no connection is accepted after the system had no descriptor or memory for one.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// What connections are to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Take requests.
    Serving,
    /// Answer those that came, and close.
    Finishing,
    /// Close.
    Ended,
}

/// Serves the contract until told to stop; then accepts no new connection, says so at `/readyz`, and lets requests in
/// flight finish within [`DRAIN`].
///
/// # Errors
/// The system's error about the listener.
pub fn serve(
    app: App,
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> BoxFuture<'static, io::Result<()>> {
    serve_until(Box::pin(stop), app, listener, tls)
}

/// Boxed, so that what connections run is compiled in this crate, for speed, and not in the caller's.
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

/// Serves routes within limits, as long as the process runs.
///
/// # Errors
/// The system's error about the listener.
pub fn listen(
    router: Router,
    limits: Limits,
    listener: TcpListener,
    tls: Option<Arc<Tls>>,
) -> BoxFuture<'static, io::Result<()>> {
    let site = Site { limits, router, contract: None, tls };
    Box::pin(listen_until(Box::pin(std::future::pending()), site, listener))
}

/// Accepts connections until told to stop, and those that wait by then; then lets them finish.
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
                // A connection that broke off before it was accepted is no fault of the listener.
                Err(fault) if is_of_connection(&fault) => {}
                Err(fault) => {
                    tracing::warn!("no connection can be accepted for a moment: {fault}");
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

/// Begins to serve a connection, if there is room for it.
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
