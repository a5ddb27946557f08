//! Response bodies that are read from the store part by part, as fast as the client reads them.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use futures_util::stream;
use service::Error;

/// Response body with the content of a file. `part` returns the parts by number, from 0. `name` is for the
/// log.
///
/// If a part cannot be read, the body ends before its `Content-Length`, so that the client notices that it is
/// incomplete.
pub(crate) fn in_parts<F, P>(name: String, part: F) -> Body
where
    F: Fn(u32) -> P + Send + 'static,
    P: Future<Output = Result<Option<Vec<u8>>, Error>> + Send + 'static,
{
    let name = Arc::<str>::from(name);
    let next = move |number: u32| {
        let (reading, name) = (part(number), name.clone());
        async move {
            match reading.await {
                Ok(Some(part)) => Some((Ok(part), number + 1)),
                Ok(None) => None,
                Err(fault) => {
                    tracing::error!(record.id = %name, error.cause = %fault, "the file {name} was not sent completely");
                    Some((Err(io::Error::other("a part of the file cannot be read")), number + 1))
                }
            }
        }
    };
    Body::from_stream(stream::unfold(0, next))
}
