//! Log of each partner's own requests, with their results (D100).
//!
//! Requests are held in memory and saved in batches, once a second. So no request waits for the log. If the
//! process is killed, the last second is lost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};

use crate::clock::millisecond_of;
use crate::error::Result;
use crate::shared::Shared;
use crate::storage::lists::Beyond;
use crate::storage::request_log::{LoggedRequest, RequestBatch};

/// Most requests that are stored for a partner.
pub const KEPT: usize = 10_000;

/// Retention period of requests.
pub const KEPT_FOR: Duration = Duration::from_hours(7 * 24);

/// Interval in which the requests in memory are saved.
pub const FLUSH_PERIOD: Duration = Duration::from_secs(1);

/// Most requests that wait to be saved. While the store cannot be reached, further requests are not logged.
const MOST_WAITING: usize = 50_000;

/// Batches that are read at once.
const READ_AT_ONCE: usize = 64;

/// Filter of logged requests.
#[derive(Debug, Clone, Copy, Default)]
pub struct RequestQuery {
    /// Only requests answered at this time or later.
    pub since: Option<Timestamp>,
    /// Only requests answered before this time.
    pub until: Option<Timestamp>,
    /// Lowest and highest HTTP status of the requests.
    pub status: Option<(u16, u16)>,
    /// Position in the log after or before which the page begins.
    pub from: Option<Beyond<RequestPosition>>,
    /// Most requests of a page.
    pub most: usize,
}

/// Position of a request in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestPosition {
    pub batch: Uuid,
    /// Index of the request in its batch, from 0.
    pub nth: usize,
}

/// A page of the log, newest first.
#[derive(Debug, Clone, Default)]
pub struct RequestPage {
    pub requests: Vec<(RequestPosition, LoggedRequest)>,
    /// Whether the log may have more requests in the same direction.
    pub has_more: bool,
}

/// Requests that wait to be saved.
#[derive(Default)]
pub(crate) struct Noted(Mutex<Waiting>);

/// Requests of each partner, in order of arrival.
#[derive(Default)]
struct Waiting {
    of_partners: BTreeMap<PartnerId, Vec<LoggedRequest>>,
    /// Requests of all partners together.
    count: usize,
}

impl Noted {
    /// Adds a request to those that wait, if there is room.
    fn note(&self, of: PartnerId, request: LoggedRequest) {
        let mut waiting = self.waiting();
        if waiting.count < MOST_WAITING {
            waiting.count += 1;
            waiting.of_partners.entry(of).or_default().push(request);
        }
    }

    /// Takes all waiting requests, oldest first for each partner.
    fn take(&self) -> BTreeMap<PartnerId, Vec<LoggedRequest>> {
        let mut of_partners = std::mem::take(&mut *self.waiting()).of_partners;
        of_partners.values_mut().for_each(|requests| requests.sort_by_key(|request| request.at));
        of_partners
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Logs the requests of partners, and shows the log to them.
pub struct RequestLogService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) noted: Noted,
}

impl RequestLogService {
    /// Adds a request of a partner to the log, in memory.
    pub fn note(&self, of: PartnerId, request: LoggedRequest) {
        self.noted.note(of, request);
    }

    pub fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// Saves the requests in memory. If the store fails, they stay in memory if there is room.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn flush(&self) -> Result<()> {
        let batch = |(partner, requests)| RequestBatch { partner, id: self.shared.ids.uuid(), requests };
        let batches: Vec<RequestBatch> = self.noted.take().into_iter().map(batch).collect();
        if batches.is_empty() {
            return Ok(());
        }
        if let Err(fault) = self.shared.storage.log_requests(&batches).await {
            for batch in batches {
                batch.requests.into_iter().for_each(|request| self.note(batch.partner, request));
            }
            return Err(fault.into());
        }
        Ok(())
    }

    /// A page of a partner's log, including requests that this process has not saved yet.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn list(&self, of: PartnerId, query: &RequestQuery) -> Result<RequestPage> {
        self.flush().await?;
        let mut page = self.read(of, query).await?;
        if let Some(Beyond::Before(_)) = query.from {
            page.requests.reverse();
        }
        Ok(page)
    }

    /// A page in the requested direction: towards older or newer requests.
    async fn read(&self, of: PartnerId, query: &RequestQuery) -> Result<RequestPage> {
        let mut page = RequestPage::default();
        let (mut seen, start) = (0, query.from.map(Beyond::position));
        let mut batch_from = match query.from {
            None => Beyond::After(Uuid::max()),
            Some(Beyond::After(position)) => Beyond::After(position.batch),
            Some(Beyond::Before(position)) => Beyond::Before(position.batch),
        };
        loop {
            let batches = self.shared.storage.request_batches(of, batch_from, READ_AT_ONCE).await?;
            let is_last = batches.len() < READ_AT_ONCE;
            for RequestBatch { id: batch, requests, .. } in batches {
                let is_older = matches!(batch_from, Beyond::After(_));
                if is_older && query.since.is_some_and(|since| millisecond_of(batch) < since.as_millisecond())
                {
                    return Ok(page);
                }
                let number = batch.as_u128();
                batch_from = match is_older {
                    true => Beyond::After(Uuid::from_u128(number.saturating_sub(1))),
                    false => Beyond::Before(Uuid::from_u128(number.saturating_add(1))),
                };
                let mut requests: Vec<_> = requests.into_iter().enumerate().collect();
                if is_older {
                    requests.reverse();
                }
                for (nth, request) in requests {
                    let is_beyond = |start: RequestPosition| {
                        start.batch != batch || if is_older { nth < start.nth } else { nth > start.nth }
                    };
                    if !start.is_none_or(is_beyond) {
                        continue;
                    }
                    seen += 1;
                    if seen > KEPT {
                        return Ok(page);
                    }
                    if query.wants(&request) {
                        page.requests.push((RequestPosition { batch, nth }, request));
                        if page.requests.len() == query.most {
                            page.has_more = true;
                            return Ok(page);
                        }
                    }
                }
            }
            if is_last {
                return Ok(page);
            }
        }
    }

    /// Removes requests older than [`KEPT_FOR`], and a partner's oldest requests beyond [`KEPT`]. Returns the
    /// number of removed batches.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn forget_old(&self) -> Result<usize> {
        let Ok(before) = self.shared.clock.now().checked_sub(KEPT_FOR) else { return Ok(0) };
        let mut forgotten = 0;
        for of in self.shared.directory.partner_ids() {
            forgotten += self.shared.storage.forget_requests(of, before, KEPT).await?;
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

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn request(at: usize) -> LoggedRequest {
        LoggedRequest {
            at: Timestamp::from_microsecond(at as i64).expect("in range"),
            method: "GET".into(),
            route: "/".into(),
            status: 200,
            code: None,
            micros: 1,
            id: Uuid::from_u128(at as u128),
        }
    }

    fn partner(number: u128) -> PartnerId {
        PartnerId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn requests_noted_by_several_threads_are_taken_only_once_in_order_of_time() {
        let noted = Noted::default();
        thread::scope(|threads| {
            for number in 0..4 {
                let noted = &noted;
                threads.spawn(move || {
                    (0..100)
                        .for_each(|nth| noted.note(partner((nth % 2) as u128), request(4 * nth + number)));
                });
            }
        });
        let taken = noted.take();
        let times = |of| -> Vec<i64> {
            taken[&partner(of)].iter().map(|request| request.at.as_microsecond()).collect()
        };
        let of_odd = |odd: i64| (0..400).filter(|at| at / 4 % 2 == odd).collect::<Vec<_>>();
        assert_eq!((times(0), times(1)), (of_odd(0), of_odd(1)));
        assert!(noted.take().is_empty());
    }

    #[test]
    fn requests_beyond_the_limit_of_waiting_entries_are_not_noted() {
        let noted = Noted::default();
        (0..=MOST_WAITING).for_each(|at| noted.note(partner(1), request(at)));
        assert_eq!(noted.take()[&partner(1)].len(), MOST_WAITING);
    }
}
