//! The unread rest of a request body. If a response is sent before the whole body has arrived, the connection
//! must not read the rest as the next request.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};

use super::guard::{LINGER, LINGER_BYTES};

/// Maximum number of bytes, and longest time, to read the rest of a body. If the rest is larger or slower,
/// the connection closes instead of being used again.
const MOST: usize = 64 * 1024;
const LONGEST: Duration = Duration::from_millis(20);

/// Receives the unread rest of a body when the body is dropped.
pub(crate) struct Unread(Arc<Mutex<Option<Incoming>>>);

/// Body of a request. When it is dropped, it leaves the unread rest in `rest`.
struct Arriving {
    incoming: Option<Incoming>,
    rest: Arc<Mutex<Option<Incoming>>>,
}

/// Body of a request for its handler, and a receiver of the unread rest. The receiver is `None` if the body
/// is empty.
pub(crate) fn watched(incoming: Incoming) -> (Body, Option<Unread>) {
    if incoming.is_end_stream() {
        return (Body::empty(), None);
    }
    let rest = Arc::new(Mutex::new(None));
    (Body::new(Arriving { incoming: Some(incoming), rest: rest.clone() }), Some(Unread(rest)))
}

impl Unread {
    /// Reads the rest of the body. Returns whether the body is complete, so that another request can follow.
    ///
    /// If the client waits for `100 Continue` before it sends its body, the server does not wait for the
    /// rest.
    pub(crate) async fn read_rest(self, client_waits: bool) -> bool {
        let rest = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut rest) = rest else { return true };
        !client_waits && matches!(tokio::time::timeout(LONGEST, discard(&mut rest, MOST)).await, Ok(Some(())))
    }

    /// Reads the rest of the body while the response is sent. Dropping the body of an HTTP/2 stream would
    /// reset the stream, and some clients would then lose the response.
    pub(crate) fn read_on(self) {
        let rest = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut rest) = rest {
            tokio::spawn(async move {
                tokio::time::timeout(LINGER, discard(&mut rest, LINGER_BYTES as usize)).await
            });
        }
    }
}

/// Reads a body to its end. `None` if reading fails or the body has more than `most` bytes.
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
