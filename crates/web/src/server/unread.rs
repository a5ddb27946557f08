//! The rest of a body that nobody read. A response before the whole body has come is an answer to a client that still
//! sends: what it sends next on this connection would be taken for a request.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};

use super::guard::{LINGER, LINGER_BYTES};

/// Bytes of a rest that are read so that the connection can be used again, and how long that may take. Whatever is
/// longer or later ends the connection.
const MOST: usize = 64 * 1024;
const LONGEST: Duration = Duration::from_millis(20);

/// Where a body's rest is put when the body is dropped.
pub(crate) struct Unread(Arc<Mutex<Option<Incoming>>>);

/// A request's body, which leaves its rest behind.
struct Arriving {
    incoming: Option<Incoming>,
    rest: Arc<Mutex<Option<Incoming>>>,
}

/// A request's body for its handler, with the place of its rest.
pub(crate) fn watched(incoming: Incoming) -> (Body, Option<Unread>) {
    if incoming.is_end_stream() {
        return (Body::empty(), None);
    }
    let rest = Arc::new(Mutex::new(None));
    (Body::new(Arriving { incoming: Some(incoming), rest: rest.clone() }), Some(Unread(rest)))
}

impl Unread {
    /// Reads what is left of the body. Returns whether nothing is left, so that the next request can follow.
    ///
    /// A client that waits to be asked for its body (`Expect: 100-continue`) is not asked now.
    pub(crate) async fn read_rest(self, client_waits: bool) -> bool {
        let rest = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut rest) = rest else { return true };
        !client_waits && matches!(tokio::time::timeout(LONGEST, discard(&mut rest, MOST)).await, Ok(Some(())))
    }

    /// Reads what is left of the body while the response is sent. A stream of HTTP/2 whose body is dropped is reset, and
    /// some clients take that for the end of the response, too.
    pub(crate) fn read_on(self) {
        let rest = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut rest) = rest {
            tokio::spawn(async move {
                tokio::time::timeout(LINGER, discard(&mut rest, LINGER_BYTES as usize)).await
            });
        }
    }
}

/// Reads a body to its end, unless it has more bytes than this.
async fn discard(body: &mut Incoming, most: usize) -> Option<()> {
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        length += frame.ok()?.data_ref().map_or(0, Bytes::len);
        if length > most {
            return None;
        }
    }
    Some(())
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(self.incoming.as_mut().expect("taken by drop alone")).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.as_ref().map(HttpBody::size_hint).unwrap_or_default()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let rest = self.incoming.take().filter(|incoming| !incoming.is_end_stream());
        *self.rest.lock().unwrap_or_else(PoisonError::into_inner) = rest;
    }
}
