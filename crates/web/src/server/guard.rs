//! Stream of a connection with time limits: for the next request, for the request's header, and for the
//! client to read responses.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until, timeout};
use tokio_rustls::server::TlsStream;

use super::connections::ConnectionPermit;
use crate::app::Limits;

/// Maximum time and number of bytes to read after the last response. If the connection closed with unread
/// bytes, a client that still sends could lose the response.
pub(crate) const LINGER: Duration = Duration::from_secs(2);
pub(crate) const LINGER_BYTES: u64 = 4 * 1024 * 1024;

/// Number of responses on a connection that the client may abandon. After that, the client must take at least
/// half of all responses.
const MOST_GIVEN_UP: u64 = 1000;

/// Activity of a connection, shared by the stream and the requests of the connection.
pub(crate) struct Activity {
    opened: Instant,
    in_flight: AtomicUsize,
    /// Number of requests on the connection so far.
    requests: AtomicU64,
    /// Number of responses that the client abandoned before their end.
    given_up: AtomicU64,
    /// End of the last response, in microseconds after `opened`.
    idle_since: AtomicU64,
    lingers: AtomicBool,
}

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Activity {
            opened: Instant::now(),
            in_flight: AtomicUsize::new(0),
            requests: AtomicU64::new(0),
            given_up: AtomicU64::new(0),
            idle_since: AtomicU64::new(0),
            lingers: AtomicBool::new(false),
        })
    }

    /// Records a new request. The request is in flight until the returned value is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::AcqRel);
        self.requests.fetch_add(1, Ordering::AcqRel);
        InFlight { activity: self.clone(), is_answered: false }
    }

    /// Makes the connection read more bytes for [`LINGER`] after its last response.
    pub(crate) fn linger(&self) {
        self.lingers.store(true, Ordering::Release);
    }

    /// Whether the client abandons most responses. Such a client only causes work.
    fn is_abused(&self) -> bool {
        let given_up = self.given_up.load(Ordering::Relaxed);
        given_up > MOST_GIVEN_UP && given_up > self.requests.load(Ordering::Relaxed) / 2
    }

    fn is_busy(&self) -> bool {
        self.in_flight.load(Ordering::Acquire) > 0
    }

    fn idle_since(&self) -> Instant {
        self.opened + Duration::from_micros(self.idle_since.load(Ordering::Acquire))
    }
}

/// A request whose response has not been sent completely.
pub(crate) struct InFlight {
    activity: Arc<Activity>,
    is_answered: bool,
}

impl InFlight {
    /// Records that the client took the whole response.
    pub(crate) fn answered(&mut self) {
        self.is_answered = true;
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let activity = &self.activity;
        if !self.is_answered {
            activity.given_up.fetch_add(1, Ordering::Relaxed);
        }
        let now = activity.opened.elapsed().as_micros() as u64;
        activity.idle_since.store(now, Ordering::Release);
        activity.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Connection to the client: TCP with or without TLS.
pub(crate) enum Transport {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Stream of a connection, with time limits.
pub(crate) struct GuardedStream {
    /// `None` only during drop.
    transport: Option<Transport>,
    permit: Option<ConnectionPermit>,
    activity: Arc<Activity>,
    /// Whether requests overlap (HTTP/2), so that incoming bytes may not be a header.
    multiplexed: bool,
    header_deadline: Duration,
    idle_deadline: Duration,
    write_deadline: Duration,
    /// Time when the first byte of the next request's header arrived, and the number of requests before it.
    head: Option<(Instant, u64)>,
    /// Time since which the client has not read everything that the server sent.
    blocked_since: Option<Instant>,
    read_timer: Pin<Box<Sleep>>,
    write_timer: Option<Pin<Box<Sleep>>>,
}

impl GuardedStream {
    pub(crate) fn new(
        transport: Transport,
        permit: ConnectionPermit,
        activity: Arc<Activity>,
        limits: &Limits,
        multiplexed: bool,
    ) -> Self {
        let now = Instant::now();
        GuardedStream {
            transport: Some(transport),
            permit: Some(permit),
            activity,
            multiplexed,
            header_deadline: limits.header_deadline,
            idle_deadline: limits.idle_deadline,
            write_deadline: limits.write_deadline,
            head: Some((now, 0)),
            blocked_since: None,
            read_timer: Box::pin(sleep_until(now + limits.header_deadline)),
            write_timer: None,
        }
    }

    fn transport(&mut self) -> &mut Transport {
        self.transport.as_mut().expect("taken by drop alone")
    }

    /// Time at which the wait for a request ends, and whether the request's header has begun to arrive.
    fn wait_ends(&mut self) -> (Instant, bool) {
        let requests = self.activity.requests.load(Ordering::Acquire);
        match self.head {
            Some((since, before)) if before == requests => (since + self.header_deadline, true),
            _ => {
                self.head = None;
                (self.activity.idle_since() + self.idle_deadline, false)
            }
        }
    }

    /// Ends the connection if a request takes too long to arrive. Before the first byte of a header, that is
    /// a normal end. Inside a header, it is an error.
    fn poll_wait(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let now = Instant::now();
            let (ends, in_header) =
                if self.activity.is_busy() { (now + self.idle_deadline, false) } else { self.wait_ends() };
            if ends <= now {
                return Poll::Ready(if in_header { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) });
            }
            // The timer may fire too early, but never too late. So it is reset only when it fires, not for
            // each request.
            if self.read_timer.deadline() > ends || self.read_timer.is_elapsed() {
                self.read_timer.as_mut().reset(ends);
            }
            if self.read_timer.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
        }
    }

    /// Ends the connection if the client does not read the sent bytes within `write_deadline`.
    fn poll_blocked<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        let since = *self.blocked_since.get_or_insert_with(Instant::now);
        let ends = since + self.write_deadline;
        let timer = self.write_timer.get_or_insert_with(|| Box::pin(sleep_until(ends)));
        if timer.deadline() != ends {
            timer.as_mut().reset(ends);
        }
        timer.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.activity.is_abused() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let before = to.filled().len();
        let read = match self.transport() {
            Transport::Plain(stream) => Pin::new(stream).poll_read(context, to),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_read(context, to),
        };
        match read {
            Poll::Pending => self.poll_wait(context),
            Poll::Ready(Ok(())) => {
                let came = to.filled().len() > before && !self.multiplexed && !self.activity.is_busy();
                let requests = self.activity.requests.load(Ordering::Acquire);
                if came && self.head.is_none_or(|(_, before)| before != requests) {
                    self.head = Some((Instant::now(), requests));
                }
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Err(fault)) => Poll::Ready(Err(fault)),
        }
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match self.transport() {
            Transport::Plain(stream) => Pin::new(stream).poll_write(context, from),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_write(context, from),
        };
        if written.is_pending() { self.poll_blocked(context) } else { written }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = match self.transport() {
            Transport::Plain(stream) => Pin::new(stream).poll_write_vectored(context, from),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_write_vectored(context, from),
        };
        if written.is_pending() { self.poll_blocked(context) } else { written }
    }

    fn is_write_vectored(&self) -> bool {
        match self.transport.as_ref().expect("taken by drop alone") {
            Transport::Plain(stream) => stream.is_write_vectored(),
            Transport::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = match self.transport() {
            Transport::Plain(stream) => Pin::new(stream).poll_flush(context),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_flush(context),
        };
        if flushed.is_pending() {
            return self.poll_blocked(context);
        }
        self.blocked_since = None;
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = match self.transport() {
            Transport::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_shutdown(context),
        };
        if shut.is_pending() { self.poll_blocked(context) } else { shut }
    }
}

impl Drop for GuardedStream {
    fn drop(&mut self) {
        let (Some(transport), Some(permit)) = (self.transport.take(), self.permit.take()) else { return };
        if !self.activity.lingers.load(Ordering::Acquire) {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let _permit = permit;
            let stream = match transport {
                Transport::Plain(stream) => stream,
                Transport::Tls(stream) => stream.into_inner().0,
            };
            let mut unread = stream.take(LINGER_BYTES);
            let _ = timeout(LINGER, tokio::io::copy(&mut unread, &mut tokio::io::sink())).await;
        });
    }
}
