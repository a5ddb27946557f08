//! Serves one connection: HTTP/1.1, or HTTP/2 if a TLS client requests it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Request, Response, Version, header};
use futures_util::future::{BoxFuture, Either};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tower_service::Service as _;

use super::connections::{ConnectionPermit, Use};
use super::guard::{Activity, GuardedStream, InFlight, Transport};
use super::tls::Tls;
use super::unread::watched;
use super::{HEADER_BYTES, MOST_HEADERS, Phase};
use crate::app::{App, Limits};
use crate::contract::Contract;
use crate::layers::answer_found;
use crate::peer::{OnlyProbes, Peer};

/// Longest time for a request's header to arrive on a connection that is only for probes.
const PROBE_DEADLINE: Duration = Duration::from_secs(2);

/// Maximum number of concurrent streams on one HTTP/2 connection.
const MOST_STREAMS: u32 = 128;

/// For a year, browsers use only https for this host.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Router, limits and certificate, shared by all connections of a listener.
pub(super) struct Site {
    pub(super) router: Router,
    /// Lookup table of the API with its state, if this listener serves the API.
    pub(super) contract: Option<(App, &'static Contract)>,
    pub(super) limits: Limits,
    pub(super) tls: Option<Arc<Tls>>,
}

/// A new connection, with the permit that counts it.
pub(super) struct Accepted {
    pub(super) stream: TcpStream,
    pub(super) peer: Peer,
    pub(super) permit: ConnectionPermit,
    pub(super) used: Use,
}

/// Serves a connection until it ends.
pub(super) async fn run(site: Arc<Site>, accepted: Accepted, phase: watch::Receiver<Phase>) {
    let Accepted { stream, peer, permit, used } = accepted;
    let only_probes = matches!(used, Use::Probes);
    let mut limits = site.limits.clone();
    if only_probes {
        limits.header_deadline = limits.header_deadline.min(PROBE_DEADLINE);
    }
    // Send small responses at once.
    let _ = stream.set_nodelay(true);
    let (transport, multiplexed) = match &site.tls {
        None => (Transport::Plain(stream), false),
        Some(tls) => match timeout(limits.header_deadline, tls.accept(stream)).await {
            Ok(Ok(stream)) => {
                let multiplexed = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                (Transport::Tls(Box::new(stream)), multiplexed)
            }
            // The TLS handshake failed. TLS itself reports the reason to the client.
            Ok(Err(_)) | Err(_) => return,
        },
    };
    let activity = Activity::new();
    let requests = Requests {
        router: Mutex::new(site.router.clone()),
        contract: site.contract.as_ref().map(|(app, contract)| (app.of_connection(), *contract)),
        activity: activity.clone(),
        peer,
        secure: site.tls.is_some(),
        only_probes,
    };
    let stream = TokioIo::new(GuardedStream::new(transport, permit, activity, &limits, multiplexed));
    if multiplexed {
        serve_http2(stream, requests, &limits, phase).await;
    } else {
        serve_http1(stream, requests, only_probes, phase).await;
    }
}

async fn serve_http1(
    stream: TokioIo<GuardedStream>,
    requests: Requests,
    only_probes: bool,
    phase: watch::Receiver<Phase>,
) {
    let mut builder = http1::Builder::new();
    // The stream has its own deadline for the header, from the header's first byte.
    builder.header_read_timeout(None).max_headers(MOST_HEADERS).max_buf_size(HEADER_BYTES);
    builder.keep_alive(!only_probes);
    let connection = builder.serve_connection(stream, requests);
    to_its_end(connection, http1::Connection::graceful_shutdown, phase).await;
}

async fn serve_http2(
    stream: TokioIo<GuardedStream>,
    requests: Requests,
    limits: &Limits,
    phase: watch::Receiver<Phase>,
) {
    let longest = limits.request_deadline + limits.write_deadline;
    let mut builder = http2::Builder::new(Streams { longest });
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(MOST_STREAMS)
        .max_header_list_size(HEADER_BYTES as u32)
        .keep_alive_interval(None);
    let connection = builder.serve_connection(stream, requests);
    to_its_end(connection, http2::Connection::graceful_shutdown, phase).await;
}

/// Serves a connection. If the server stops, finishes the current requests and closes the connection.
async fn to_its_end<C: Future>(
    connection: C,
    shut_down: impl FnOnce(Pin<&mut C>),
    mut phase: watch::Receiver<Phase>,
) {
    let mut connection = pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = phase.wait_for(|phase| *phase != Phase::Serving) => shut_down(connection.as_mut()),
    }
    tokio::select! {
        _ = connection.as_mut() => {}
        _ = phase.wait_for(|phase| *phase == Phase::Ended) => {}
    }
}

/// Runs the streams of an HTTP/2 connection. Ends a stream whose client does not read its response in time.
#[derive(Clone)]
struct Streams {
    longest: Duration,
}

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Streams {
    fn execute(&self, stream: F) {
        tokio::spawn(timeout(self.longest, stream));
    }
}

/// Answers the requests that arrive on one connection.
struct Requests {
    /// Copy of the router for this connection, so that requests do not change a reference count that all
    /// processors share.
    router: Mutex<Router>,
    contract: Option<(App, &'static Contract)>,
    activity: Arc<Activity>,
    peer: Peer,
    secure: bool,
    only_probes: bool,
}

impl hyper::service::Service<Request<Incoming>> for Requests {
    type Response = Response<Sending>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Sending>, Infallible>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let in_flight = self.activity.begin();
        let (mut parts, incoming) = request.into_parts();
        parts.extensions.insert(self.peer);
        if self.only_probes {
            parts.extensions.insert(OnlyProbes);
        }
        let client_waits = parts.headers.contains_key(header::EXPECT);
        let is_http2 = parts.version >= Version::HTTP_2;
        let (body, unread) = watched(incoming);
        let request = Request::from_parts(parts, body);
        let in_contract =
            self.contract.as_ref().and_then(|(app, contract)| Some((app, contract.find(&request)?)));
        let answering = match in_contract {
            Some((app, found)) => Either::Left(answer_found(app.clone(), request, found)),
            None => {
                let routed = self.router.lock().unwrap_or_else(PoisonError::into_inner).call(request);
                Either::Right(async move {
                    let Ok(response) = routed.await;
                    response
                })
            }
        };
        let (activity, secure) = (self.activity.clone(), self.secure);
        Box::pin(async move {
            let mut response = answering.await;
            if secure {
                response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
            }
            let can_go_on = match unread {
                None => true,
                Some(unread) if is_http2 => {
                    unread.read_on();
                    true
                }
                Some(unread) => unread.read_rest(client_waits).await,
            };
            if !can_go_on {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                activity.linger();
            }
            Ok(Sending::of(response, in_flight))
        })
    }
}

/// Body of a response. Its request is in flight until the body is dropped.
pub(super) struct Sending {
    body: Body,
    /// Number of bytes still to send, if known. It shows the end of the body, because nobody polls a stream
    /// after its last byte.
    left: Option<u64>,
    in_flight: InFlight,
}

impl Sending {
    fn of(response: Response<Body>, in_flight: InFlight) -> Response<Self> {
        let told = response.headers().get(header::CONTENT_LENGTH);
        let told = told.and_then(|length| length.to_str().ok()).and_then(|length| length.parse().ok());
        // Without the header, hyper sets it from the size hint.
        let left = told.or_else(|| response.body().size_hint().exact());
        response.map(|body| {
            let mut sending = Sending { body, left, in_flight };
            sending.note_end(false);
            sending
        })
    }

    /// Records that the client took the whole response, once all of it was sent. A client that disconnects
    /// earlier has abandoned the response.
    fn note_end(&mut self, was_last: bool) {
        if was_last || self.left == Some(0) || self.body.is_end_stream() {
            self.in_flight.answered();
        }
    }
}

impl HttpBody for Sending {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let (Some(left), Poll::Ready(Some(Ok(frame)))) = (&mut self.left, &frame) {
            *left = left.saturating_sub(frame.data_ref().map_or(0, |data| data.len() as u64));
        }
        self.note_end(matches!(frame, Poll::Ready(None)));
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
