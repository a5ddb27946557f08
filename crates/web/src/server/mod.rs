//! The listener: HTTP/1.1 with the time limits that keep slow clients from holding connections.

use std::future::{Ready, ready};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum_server::accept::Accept;
use axum_server::{AddrListener, Address, Server};
use futures_util::future::BoxFuture;
use hyper_util::rt::TokioTimer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, watch};

use crate::app::{App, Limits};

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

/// Serves the contract until told to stop; then accepts no new connection, says so at `/readyz`, and lets requests in
/// flight finish within [`DRAIN`].
///
/// # Errors
/// The system's error about the listener.
pub fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> BoxFuture<'static, io::Result<()>> {
    serve_until(Box::pin(stop), app, listener)
}

/// Boxed, so that what connections run is compiled in this crate, for speed, and not in the caller's.
fn serve_until(
    stop: BoxFuture<'static, ()>,
    app: App,
    listener: TcpListener,
) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move { serve_with(stop, app, listener).await })
}

async fn serve_with(stop: BoxFuture<'static, ()>, app: App, listener: TcpListener) -> io::Result<()> {
    let handle = Handle::new();
    let (close, closed) = watch::channel(false);
    tokio::spawn({
        let (handle, app) = (handle.clone(), app.clone());
        async move {
            stop.await;
            app.drain();
            close.send_replace(true);
            let until = Instant::now() + LAST_REQUESTS;
            while handle.connection_count() > 0 && Instant::now() < until {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            handle.graceful_shutdown(Some(DRAIN));
        }
    });
    let limits = app.limits.clone();
    listen_until(closed, crate::router(app), &limits, listener, handle).await
}

/// Serves routes within limits, as long as the process runs.
///
/// # Errors
/// The system's error about the listener.
pub async fn listen(router: Router, limits: &Limits, listener: TcpListener) -> io::Result<()> {
    let (_open, closed) = watch::channel(false);
    listen_until(closed, router, limits, listener, Handle::new()).await
}

/// Serves routes within limits until the handle says to stop. Once closed, it accepts no new connection.
async fn listen_until(
    closed: watch::Receiver<bool>,
    router: Router,
    limits: &Limits,
    listener: TcpListener,
    handle: Handle,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = ClosableListener::of(tokio::net::TcpListener::from_std(listener)?, closed)?;
    // HTTP/1.1 alone: to recognise HTTP/2, the server would wait for the first bytes without a deadline. A proxy in
    // front speaks HTTP/2 to its clients.
    let server = Server::from_listener(listener).handle(handle).acceptor(ConnectionLimit::new(limits));
    let mut server = server.http1_only();
    // Without a timer the header deadline would never fire: hyper has no clock of its own.
    server
        .http_builder()
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_deadline)
        .max_headers(MOST_HEADERS)
        .max_buf_size(HEADER_BYTES);
    server.serve(router.into_make_service()).await
}

/// The handle that tells connections to end.
type Handle = axum_server::Handle<LocalAddress>;

/// Where the server listens.
#[derive(Debug, Clone, Copy)]
struct LocalAddress(SocketAddr);

impl Address for LocalAddress {
    type Stream = TcpStream;
    type Listener = ClosableListener;
}

/// A listener that can be closed while the connections that it accepted go on.
struct ClosableListener {
    address: LocalAddress,
    state: Mutex<State>,
    closed: watch::Receiver<bool>,
}

enum State {
    Open(tokio::net::TcpListener),
    /// Waits for no new connection, but accepts those that are there already.
    Closing(TcpListener),
    Closed,
}

impl ClosableListener {
    fn of(listener: tokio::net::TcpListener, closed: watch::Receiver<bool>) -> io::Result<Self> {
        Ok(ClosableListener {
            address: LocalAddress(listener.local_addr()?),
            state: Mutex::new(State::Open(listener)),
            closed,
        })
    }
}

impl AddrListener<TcpStream, LocalAddress> for ClosableListener {
    async fn bind_to(LocalAddress(address): LocalAddress) -> io::Result<Self> {
        ClosableListener::of(tokio::net::TcpListener::bind(address).await?, watch::channel(false).1)
    }

    async fn accept_stream(&self) -> io::Result<(TcpStream, LocalAddress)> {
        let mut state = self.state.lock().await;
        if let State::Open(listener) = &*state {
            let mut closed = self.closed.clone();
            tokio::select! {
                biased;
                accepted = listener.accept() => return accepted.map(|(stream, from)| (stream, LocalAddress(from))),
                Ok(_) = closed.wait_for(|closed| *closed) => {}
            }
        }
        *state = match std::mem::replace(&mut *state, State::Closed) {
            State::Open(listener) => State::Closing(listener.into_std()?),
            state => state,
        };
        if let State::Closing(listener) = &*state
            && let Ok((stream, from)) = listener.accept()
        {
            stream.set_nonblocking(true)?;
            return Ok((TcpStream::from_std(stream)?, LocalAddress(from)));
        }
        *state = State::Closed;
        std::future::pending().await
    }

    fn get_local_addr(&self) -> io::Result<LocalAddress> {
        Ok(self.address)
    }
}

/// Closes a connection at once when there are as many as may be.
#[derive(Clone)]
struct ConnectionLimit {
    permits: Arc<Semaphore>,
}

impl ConnectionLimit {
    fn new(limits: &Limits) -> Self {
        ConnectionLimit { permits: Arc::new(Semaphore::new(limits.connections)) }
    }
}

impl<S: Send + 'static> Accept<TcpStream, S> for ConnectionLimit {
    type Stream = PermittedStream;
    type Service = S;
    type Future = Ready<io::Result<(PermittedStream, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let permit = self.permits.clone().try_acquire_owned().map_err(io::Error::other);
        ready(permit.and_then(|permit| {
            // Small responses must not wait for more to send.
            stream.set_nodelay(true)?;
            Ok((PermittedStream { stream, _permit: permit }, service))
        }))
    }
}

/// A connection with its permit, given back when it closes.
struct PermittedStream {
    stream: TcpStream,
    _permit: OwnedSemaphorePermit,
}

impl AsyncRead for PermittedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, to)
    }
}

impl AsyncWrite for PermittedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, from)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, from)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
