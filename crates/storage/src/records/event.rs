//! Database rows of events (D95). An event's data is encrypted, because it contains the partner's reference
//! of the sale.

use crate::records::row::row;
use async_trait::async_trait;
use domain::date::Timestamp;
use domain::event::{Event, EventType};
use domain::id::{EventId, PartnerId, Uuid};
use ports::storage::Result;
use ports::storage::events::{EventPage, EventQuery, Events, NewEvent};
use ports::storage::lists::Beyond;
use ports::storage::premiums::ReceiptKept;

use crate::audit::UPKEEP;
use crate::body::{EventBody, decode, encode};
use crate::counted_event::CountedEvent;
use crate::fields::{FromRow, RowFields, ToValue, first_id_at, values};
use crate::operation::{Months, Operation, sql};
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "events";

row! {
    /// Event as stored in its row.
    Row {
        partner_id: PartnerId,
        event_id: EventId,
        happened_at: Timestamp,
        kind: EventType,
        subject_id: Uuid,
    } free {
        sequence: u64,
        body: Vec<u8>,
    }
}

/// New event as it is written to its row.
pub(crate) struct EventRow {
    /// Row without its sequence number, which the statement gives.
    row: Row,
    counted: Option<CountedEvent>,
}

impl EventRow {
    /// Rows for new events of one partner.
    pub(crate) fn all(seal: &Seal, of: PartnerId, events: &[NewEvent]) -> Result<Vec<Self>> {
        let row = |event: &NewEvent| {
            let NewEvent { id: event_id, at: happened_at, kind, subject: subject_id, .. } = *event;
            let (sequence, body) = (0, Vec::new());
            let mut row = Row { partner_id: of, event_id, happened_at, kind, subject_id, sequence, body };
            row.body = seal.seal(TABLE, &row.bound(), &encode(&EventBody { data: event.data.clone() }))?;
            Ok(EventRow { row, counted: CountedEvent::of(event) })
        };
        events.iter().map(row).collect()
    }

    /// Rows for the events of a receipt: one event for each line of the receipt, with the outcome of that
    /// line. Empty unless the receipt was stored as a new one.
    pub(crate) fn of_receipt(
        seal: &Seal,
        of: PartnerId,
        events: &[NewEvent],
        kept: &ReceiptKept,
    ) -> Result<Vec<Self>> {
        let ReceiptKept::New(lines) = kept else { return Ok(Vec::new()) };
        let told = events.iter().zip(lines).map(|(event, (_, outcome))| event.of_outcome(*outcome));
        EventRow::all(seal, of, &told.collect::<Vec<_>>())
    }

    /// Rows for new events of several partners.
    pub(crate) fn of_partners(seal: &Seal, events: &[(PartnerId, NewEvent)]) -> Result<Vec<Self>> {
        let rows = events.iter().map(|(of, event)| EventRow::all(seal, *of, std::slice::from_ref(event)));
        Ok(rows.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }
}

impl Row {
    pub(crate) fn open(self, seal: &Seal) -> Result<Event> {
        let EventBody { data } = decode(&seal.open(TABLE, &self.bound(), &self.body)?)?;
        let Row { partner_id, event_id, happened_at, kind, subject_id, sequence, .. } = self;
        Ok(Event {
            id: event_id,
            partner: partner_id,
            kind,
            at: happened_at,
            subject: subject_id,
            sequence,
            data,
        })
    }
}

/// Range of event ids that a query requests: from the first id, and below the second.
pub(crate) fn ids_asked(query: &EventQuery) -> (Uuid, Uuid) {
    let first = query.since.map_or(Uuid::nil(), first_id_at);
    let until = query.until.map_or(Uuid::max(), first_id_at);
    match query.from {
        None => (first, until),
        Some(Beyond::After(last)) => (first, last.uuid().min(until)),
        Some(Beyond::Before(last)) => {
            let next = Uuid::from_u128(last.uuid().as_u128().saturating_add(1));
            (first.max(next), until)
        }
    }
}

/// Writes events with their webhook deliveries. Also counts the events of each subject, so that every event
/// gets a sequence number.
pub(crate) fn note(to: &mut dyn Operation, events: &[EventRow]) {
    for EventRow { row, counted } in events {
        let Row { partner_id, event_id, happened_at, kind, subject_id, body, .. } = row;
        to.counted().extend(counted.clone());
        to.execute(sql!("events/count"), values![partner_id, subject_id]);
        let values = values![partner_id, event_id, happened_at, kind, subject_id, body];
        to.execute(sql!("events/add"), values);
        // A test event (ping) goes only to the endpoint that it tests.
        if *kind != EventType::EndpointPing {
            to.execute(sql!("deliveries/add"), values![event_id, happened_at, partner_id, kind]);
        }
    }
}

#[async_trait]
impl Events for Store {
    async fn event(&self, of: PartnerId, event: EventId) -> Result<Option<Event>> {
        self.first(sql!("events/read"), values![of, event], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn events(&self, of: PartnerId, query: &EventQuery) -> Result<EventPage> {
        let (first, before) = ids_asked(query);
        let (kind, most) = (query.kind, query.most + 1);
        let undelivered = query.undelivered.to_value();
        let (list, filters) = match (&query.subject, &kind, query.undelivered) {
            (Some(subject), kind, _) => {
                (sql!("events/list_of_subject"), vec![subject.to_value(), kind.to_value(), undelivered])
            }
            (None, Some(kind), _) => {
                (sql!(by engine "events/list_of_type"), vec![kind.to_value(), undelivered])
            }
            (None, None, Some(true)) => (sql!("events/list_undelivered"), vec![]),
            (None, None, _) => (sql!("events/list"), vec![undelivered]),
        };
        let values = [&values![of, first, before][..], &filters, &[most.to_value()]].concat();
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        let Some(Beyond::Before(_)) = query.from else {
            return Ok(EventPage::of(self.all(list, &values, open).await?, query.most));
        };
        let newer = list.reversed(&[(" desc", " asc")]);
        let mut page = EventPage::of(self.all(newer.statement(), &values, open).await?, query.most);
        page.events.reverse();
        Ok(page)
    }

    async fn add_event(&self, of: PartnerId, event: &NewEvent) -> Result<()> {
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(event))?;
        let added = self.act(UPKEEP, events, |events, to| {
            Box::pin(async move {
                note(to, events);
                Ok(())
            })
        });
        Ok(added.await?)
    }

    async fn forget_events(&self, before: Timestamp, most: usize) -> Result<bool> {
        self.engine.forget_months(Months::Events, before, most).await
    }
}

#[cfg(test)]
mod tests {
    use domain::event::EventType;

    use crate::fields::Coded;

    #[test]
    fn the_recovery_statement_excludes_pings_by_their_code() {
        let ping = EventType::EndpointPing.code();
        let recover = include_str!("../../sql/deliveries/recover.sql");
        assert!(recover.contains(&format!("and e.type <> {ping}\n")));
    }
}
