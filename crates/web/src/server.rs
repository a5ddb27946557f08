//! The listener: HTTP/1.1 with the time limits that keep slow clients from holding a place.

use std::future::{Ready, ready};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum_server::accept::Accept;
use hyper_util::rt::TokioTimer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::{App, Limits};

/// Headers of one request, at most.
const MOST_HEADERS: usize = 64;

/// Bytes of one request's header, at most.
const HEADER_BYTES: usize = 32 * 1024;

/// How long requests in flight may go on after the server was told to stop.
pub const DRAIN: Duration = Duration::from_secs(30);

/// What tells a listener to stop.
pub type Handle = axum_server::Handle<SocketAddr>;

/// Serves the contract until told to stop; then `/readyz` says so, and requests in flight finish within [`DRAIN`].
///
/// # Errors
/// What the system says of the listener.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let handle = Handle::new();
    tokio::spawn({
        let (handle, app) = (handle.clone(), app.clone());
        async move {
            stop.await;
            app.drain();
            handle.graceful_shutdown(Some(DRAIN));
        }
    });
    let limits = app.limits.clone();
    listen(crate::router(app), &limits, listener, handle).await
}

/// Serves routes within limits until the handle says to stop.
///
/// # Errors
/// What the system says of the listener.
pub async fn listen(
    router: Router,
    limits: &Limits,
    listener: TcpListener,
    handle: Handle,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    // HTTP/1.1 alone: to tell HTTP/2 apart, the first bytes would be waited for without any deadline. A proxy in
    // front speaks HTTP/2 to its clients.
    let server = axum_server::from_tcp(listener)?.handle(handle).acceptor(Bounded::new(limits));
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
