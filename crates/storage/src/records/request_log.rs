//! Database rows of logged requests. Each row has one batch of a partner's requests (D100).

use std::borrow::Cow;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use ports::storage::Result;
use ports::storage::lists::Beyond;
use ports::storage::request_log::{RequestBatch, RequestLogs};

use super::bound::Bound;
use super::id_bytes;
use crate::audit::UPKEEP;
use crate::body::{RequestsBody, decode, encode};
use crate::fields::{RowFields, first_id_at, values};
use crate::operation::sql;
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "request_log";

pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) requests: i64,
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, batch: &RequestBatch) -> Result<Self> {
        let body = encode(&RequestsBody { requests: Cow::Borrowed(&batch.requests) });
        Ok(Row {
            of: id_bytes(batch.partner),
            id: *batch.id.as_bytes(),
            requests: batch.requests.len() as i64,
            body: seal.seal(TABLE, bound(batch.partner, batch.id).as_ref(), &body)?,
        })
    }
}

/// Decrypts a batch of logged requests.
pub(crate) fn open(seal: &Seal, of: PartnerId, id: Uuid, body: &[u8]) -> Result<RequestBatch> {
    let body = seal.open(TABLE, bound(of, id).as_ref(), body)?;
    let RequestsBody { requests } = decode(&body)?;
    Ok(RequestBatch { partner: of, id, requests: requests.into_owned() })
}

fn bound(of: PartnerId, id: Uuid) -> Bound {
    Bound::row(of, id.as_bytes())
}

#[async_trait]
impl RequestLogs for Store {
    async fn log_requests(&self, batches: &[RequestBatch]) -> Result<()> {
        let rows = batches.iter().map(|batch| Row::of(&self.seal, batch)).collect::<Result<Vec<_>, _>>()?;
        let logged = self.act(UPKEEP, rows, |rows, to| {
            Box::pin(async move {
                for Row { of, id, requests, body } in rows {
                    to.execute(sql!("request_log/add"), values![of, id, requests, body]);
                }
                Ok(())
            })
        });
        Ok(logged.await?)
    }

    async fn request_batches(
        &self,
        of: PartnerId,
        from: Beyond<Uuid>,
        most: usize,
    ) -> Result<Vec<RequestBatch>> {
        let batch = |row: RowFields<'_>| open(&self.seal, of, row.get(0)?, row.get(1)?);
        let (list, values) = (sql!("request_log/list"), values![of, from.position(), most]);
        match from {
            Beyond::After(_) => self.all(list, values, batch).await,
            Beyond::Before(_) => {
                let newer = list.reversed(&[("<=", ">="), (" desc", " asc")]);
                self.all(newer.statement(), values, batch).await
            }
        }
    }

    async fn forget_requests(&self, of: PartnerId, before: Timestamp, kept: usize) -> Result<usize> {
        let values = values![of, first_id_at(before), of, kept];
        Ok(self.write(sql!("request_log/forget"), values).await? as usize)
    }
}
