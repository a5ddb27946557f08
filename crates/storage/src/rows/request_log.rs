//! Rows of logged requests: a batch of a partner in each (D100).

use std::borrow::Cow;

use domain::id::{PartnerId, Uuid};
use service::storage::StorageError;
use service::storage::request_log::RequestBatch;

use super::bound::Bound;
use super::id_bytes;
use crate::body::{RequestsBody, decode, encode};
use crate::seal::Seal;

const TABLE: &str = "request_log";

/// A batch.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) requests: i64,
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, batch: &RequestBatch) -> Result<Self, StorageError> {
        let body = encode(&RequestsBody { requests: Cow::Borrowed(&batch.requests) });
        Ok(Row {
            of: id_bytes(batch.partner),
            id: *batch.id.as_bytes(),
            requests: batch.requests.len() as i64,
            body: seal.seal(TABLE, bound(batch.partner, batch.id).as_ref(), &body)?,
        })
    }
}

/// A batch as it was read.
pub(crate) fn open(seal: &Seal, of: PartnerId, id: Uuid, body: &[u8]) -> Result<RequestBatch, StorageError> {
    let body = seal.open(TABLE, bound(of, id).as_ref(), body)?;
    let RequestsBody { requests } = decode(&body)?;
    Ok(RequestBatch { partner: of, id, requests: requests.into_owned() })
}

fn bound(of: PartnerId, id: Uuid) -> Bound {
    Bound::row(of, id.as_bytes())
}
