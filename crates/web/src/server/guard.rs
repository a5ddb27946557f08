//! A connection's stream with time limits: for the next request to come, for its header, for the client to take what is
//! sent.

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

/// How long a connection is read on after its last response, and how many bytes, so that a client that still sends can
/// read that response: to close with bytes unread would take it away.
pub(crate) const LINGER: Duration = Duration::from_secs(2);
pub(crate) const LINGER_BYTES: u64 = 4 * 1024 * 1024;

/// Requests of one connection that its client may give up before their responses end. Beyond that it must take half of
/// its responses.
const MOST_GIVEN_UP: u64 = 1000;

/// What a connection is doing, shared by its stream and its requests.
pub(crate) struct Activity {
    opened: Instant,
    in_flight: AtomicUsize,
    /// Requests so far.
    requests: AtomicU64,
    /// Those that the client gave up before their responses ended.
    given_up: AtomicU64,
    /// When the last response ended, in microseconds after `opened`.
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

    /// Notes that a request came. It is in flight until the returned value is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::AcqRel);
        self.requests.fetch_add(1, Ordering::AcqRel);
        InFlight { activity: self.clone(), is_answered: false }
    }

    /// From now on the connection is read on for a while after its last response.
    pub(crate) fn linger(&self) {
        self.lingers.store(true, Ordering::Release);
    }

    /// Whether the client gives up most of what it asks for: it makes work, and takes no answers.
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

/// A request whose response has not ended.
pub(crate) struct InFlight {
    activity: Arc<Activity>,
    is_answered: bool,
}

impl InFlight {
    /// Notes that its response was taken to its end.
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

/// What carries a connection's bytes.
pub(crate) enum Transport {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connection's stream within its time limits.
pub(crate) struct GuardedStream {
    /// There until it is dropped.
    transport: Option<Transport>,
    permit: Option<ConnectionPermit>,
    activity: Arc<Activity>,
    /// Whether requests of this connection overlap (HTTP/2), so that what is read need not be a header.
    multiplexed: bool,
    header_deadline: Duration,
    idle_deadline: Duration,
    write_deadline: Duration,
    /// When the first byte of the next header came, and how many requests there had been then.
    head: Option<(Instant, u64)>,
    /// When the client did not take what was sent for the first time since it had taken everything.
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

    /// When the wait for a request ends, and whether a header has begun to come.
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

    /// Ends a wait for a request that takes too long. Nothing to read is the end of a connection without a request, and a
    /// fault in the middle of a header.
    fn poll_wait(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let now = Instant::now();
            let (ends, in_header) =
                if self.activity.is_busy() { (now + self.idle_deadline, false) } else { self.wait_ends() };
            if ends <= now {
                return Poll::Ready(if in_header { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) });
            }
            // The timer may fire too early, but never too late: it is set anew only then, not with each request.
            if self.read_timer.deadline() > ends || self.read_timer.is_elapsed() {
                self.read_timer.as_mut().reset(ends);
            }
            if self.read_timer.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
        }
    }

    /// Ends the connection of a client that does not take what is sent to it.
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
