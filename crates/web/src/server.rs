//! The listener: HTTP/1.1 with the time limits that keep slow clients from holding a place.

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
use hyper_util::rt::TokioTimer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, watch};

use crate::app::{App, Limits};

/// Headers of one request, at most.
const MOST_HEADERS: usize = 64;

/// Bytes of one request's header, at most.
const HEADER_BYTES: usize = 32 * 1024;

/// How long requests in flight may go on after the server was told to stop.
pub const DRAIN: Duration = Duration::from_secs(30);

/// How long connections are kept for what had left before its sender could know that the server stops. Every answer
/// that is given meanwhile closes its connection.
const LAST_REQUESTS: Duration = Duration::from_millis(500);

/// How often it is looked whether all connections are closed before that.
const LOOK: Duration = Duration::from_millis(10);

/// Serves the contract until told to stop; then nobody is let in any more, `/readyz` says so, and requests in flight
/// finish within [`DRAIN`].
///
/// # Errors
/// What the system says of the listener.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
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
                tokio::time::sleep(LOOK).await;
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
/// What the system says of the listener.
pub async fn listen(router: Router, limits: &Limits, listener: TcpListener) -> io::Result<()> {
    let (_open, closed) = watch::channel(false);
    listen_until(closed, router, limits, listener, Handle::new()).await
}

/// Serves routes within limits until the handle says to stop. Once it is closed, nobody is let in any more.
async fn listen_until(
    closed: watch::Receiver<bool>,
    router: Router,
    limits: &Limits,
    listener: TcpListener,
    handle: Handle,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let gate = Gate::of(tokio::net::TcpListener::from_std(listener)?, closed)?;
    // HTTP/1.1 alone: to tell HTTP/2 apart, the first bytes would be waited for without any deadline. A proxy in
    // front speaks HTTP/2 to its clients.
    let server = Server::from_listener(gate).handle(handle).acceptor(Bounded::new(limits));
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

/// What tells connections to end.
type Handle = axum_server::Handle<Here>;

/// Where the server listens.
#[derive(Debug, Clone, Copy)]
struct Here(SocketAddr);

impl Address for Here {
    type Stream = TcpStream;
    type Listener = Gate;
}

/// A listener that can be closed while the connections that it let in go on.
struct Gate {
    here: Here,
    state: Mutex<State>,
    closed: watch::Receiver<bool>,
}

enum State {
    Open(tokio::net::TcpListener),
    /// Nobody is waited for any more, but who is there already is let in.
    Closing(TcpListener),
    Closed,
}

impl Gate {
    fn of(listener: tokio::net::TcpListener, closed: watch::Receiver<bool>) -> io::Result<Self> {
        Ok(Gate { here: Here(listener.local_addr()?), state: Mutex::new(State::Open(listener)), closed })
    }
}

impl AddrListener<TcpStream, Here> for Gate {
    async fn bind_to(Here(address): Here) -> io::Result<Self> {
        Gate::of(tokio::net::TcpListener::bind(address).await?, watch::channel(false).1)
    }

    async fn accept_stream(&self) -> io::Result<(TcpStream, Here)> {
        let mut state = self.state.lock().await;
        if let State::Open(listener) = &*state {
            let mut closed = self.closed.clone();
            tokio::select! {
                biased;
                came = listener.accept() => return came.map(|(stream, from)| (stream, Here(from))),
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
            return Ok((TcpStream::from_std(stream)?, Here(from)));
        }
        *state = State::Closed;
        std::future::pending().await
    }

    fn get_local_addr(&self) -> io::Result<Here> {
        Ok(self.here)
    }
}

/// Closes a connection at once when there are as many as there are places.
#[derive(Clone)]
struct Bounded {
    places: Arc<Semaphore>,
}

impl Bounded {
    fn new(limits: &Limits) -> Self {
        Bounded { places: Arc::new(Semaphore::new(limits.connections)) }
    }
}

impl<S: Send + 'static> Accept<TcpStream, S> for Bounded {
    type Stream = Placed;
    type Service = S;
    type Future = Ready<io::Result<(Placed, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let placed = self.places.clone().try_acquire_owned().map_err(io::Error::other).and_then(|place| {
            // Small answers must not wait for more to send.
            stream.set_nodelay(true)?;
            Ok((Placed { stream, _place: place }, service))
        });
        ready(placed)
    }
}

/// A connection with its place, given back when it closes.
struct Placed {
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
}

impl AsyncRead for Placed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, to)
    }
}

impl AsyncWrite for Placed {
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
