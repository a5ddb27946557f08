//! Bodies that are read from the store a part after another, as the client takes them.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use futures_util::stream;
use service::Error;

/// The body of a file that `part` gives by the numbers of its parts, from 0 on. `name` is for the log.
///
/// A part that cannot be read ends the body early: the length that was told does not come, so that nobody takes it for whole.
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
                    tracing::error!(record.id = %name, error.cause = %fault, "{name} was not given whole");
                    Some((Err(io::Error::other("a part is not there")), number + 1))
                }
            }
        }
    };
    Body::from_stream(stream::unfold(0, next))
}
