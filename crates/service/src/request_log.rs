//! The log of a partner's own requests: what it sent at 14:03, and what the answer was (D100). Requests are noted in memory, and kept
//! in batches once a second: none waits for it, and a kill loses the last second.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};

use crate::clock::{Clock, Ids, millisecond_of};
use crate::directory::Directory;
use crate::error::Error;
use crate::storage::request_log::{LoggedRequest, RequestBatch, RequestLogs};

/// How many requests of a partner are kept.
pub const KEPT: usize = 10_000;

/// For how long.
pub const KEPT_FOR: Duration = Duration::from_hours(7 * 24);

/// How often what was noted is kept.
pub const FLUSH_PERIOD: Duration = Duration::from_secs(1);

/// Most requests that wait to be kept; what comes beyond them while the store is away is not logged.
const MOST_WAITING: usize = 50_000;

/// Batches that are read at once.
const READ_AT_ONCE: usize = 64;

/// Which requests are asked for, newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestQuery {
    /// Answered at this instant or later.
    pub since: Option<Timestamp>,
    /// Answered before this instant.
    pub until: Option<Timestamp>,
    /// With a status from this one to that one.
    pub status: Option<(u16, u16)>,
    /// Behind this position.
    pub after: Option<RequestPosition>,
    /// At most so many.
    pub most: usize,
}

/// The position of a request in the log: its batch, and how many of that come before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestPosition {
    /// The batch.
    pub batch: Uuid,
    /// Counts the requests of the batch from nought.
    pub nth: usize,
}

/// A page of the log, newest first.
#[derive(Debug, Clone, Default)]
pub struct RequestPage {
    /// The requests.
    pub requests: Vec<LoggedRequest>,
    /// The position of the last one, where older ones may follow.
    pub next: Option<RequestPosition>,
}

/// Requests that wait to be kept, of each partner oldest first.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    of_partners: BTreeMap<PartnerId, Vec<LoggedRequest>>,
    /// Of all partners together.
    count: usize,
}

/// Notes requests, keeps them, and shows them to their partners.
pub struct RequestLogService {
    pub(crate) storage: Arc<dyn RequestLogs>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) waiting: Mutex<Waiting>,
}

impl RequestLogService {
    /// Notes a request of a partner.
    pub fn note(&self, of: PartnerId, request: LoggedRequest) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.count < MOST_WAITING {
            waiting.count += 1;
            waiting.of_partners.entry(of).or_default().push(request);
        }
    }

    /// The present instant.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Keeps what was noted. What the store does not take is noted again, where there is room.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn flush(&self) -> Result<(), Error> {
        let noted = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        if noted.count == 0 {
            return Ok(());
        }
        let batch = |(partner, requests)| RequestBatch { partner, id: self.ids.uuid(), requests };
        let batches: Vec<RequestBatch> = noted.of_partners.into_iter().map(batch).collect();
        if let Err(fault) = self.storage.log_requests(&batches).await {
            for batch in batches {
                batch.requests.into_iter().for_each(|request| self.note(batch.partner, request));
            }
            return Err(fault.into());
        }
        Ok(())
    }

    /// A page of a partner's log. What this process noted is in it.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn list(&self, of: PartnerId, query: &RequestQuery) -> Result<RequestPage, Error> {
        self.flush().await?;
        let mut page = RequestPage::default();
        let mut up_to = query.after.map_or(Uuid::max(), |after| after.batch);
        let (mut seen, mut skipped) = (0, query.after);
        loop {
            let batches = self.storage.request_batches(of, up_to, READ_AT_ONCE).await?;
            let is_last = batches.len() < READ_AT_ONCE;
            for batch in batches {
                up_to = Uuid::from_u128(batch.id.as_u128().saturating_sub(1));
                let made = millisecond_of(batch.id);
                if query.since.is_some_and(|since| made < since.as_millisecond()) {
                    return Ok(page);
                }
                for (nth, request) in batch.requests.into_iter().enumerate().rev() {
                    let position = RequestPosition { batch: batch.id, nth };
                    if skipped.is_some_and(|after| after.batch == batch.id && nth >= after.nth) {
                        continue;
                    }
                    seen += 1;
                    if seen > KEPT {
                        return Ok(page);
                    }
                    if query.wants(&request) {
                        page.requests.push(request);
                        if page.requests.len() == query.most {
                            page.next = Some(position);
                            return Ok(page);
                        }
                    }
                }
                skipped = skipped.filter(|after| after.batch < batch.id);
            }
            if is_last {
                return Ok(page);
            }
        }
    }

    /// Removes what is old, and what is more than is kept. Returns how many batches.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn forget_old(&self) -> Result<usize, Error> {
        let Ok(before) = self.clock.now().checked_sub(KEPT_FOR) else { return Ok(0) };
        let mut forgotten = 0;
        for of in self.directory.partner_ids() {
            forgotten += self.storage.forget_requests(of, before, KEPT).await?;
        }
        Ok(forgotten)
    }
}

impl RequestQuery {
    fn wants(&self, request: &LoggedRequest) -> bool {
        self.since.is_none_or(|since| request.at >= since)
            && self.until.is_none_or(|until| request.at < until)
            && self.status.is_none_or(|(least, most)| (least..=most).contains(&request.status))
    }
}
