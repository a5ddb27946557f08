//! Events of sales, counted by metrics after the operation that writes them is committed.

use domain::event::EventType;
use domain::money::Rupees;
use ports::storage::events::{CountedSale, NewEvent};

/// Event of a sale, for metrics.
#[derive(Debug, Clone)]
pub(crate) struct CountedEvent {
    kind: EventType,
    sale: CountedSale,
    amount: Option<Rupees>,
}

impl CountedEvent {
    /// Event of a sale to be counted. `None` if the event is not about a sale.
    pub(crate) fn of(event: &NewEvent) -> Option<Self> {
        event.sale.map(|sale| CountedEvent { kind: event.kind, sale, amount: event.data.amount })
    }

    pub(crate) fn count(&self) {
        let insurer = self.sale.insurer.map_or_else(|| "unknown".to_owned(), |insurer| insurer.to_string());
        let labels =
            [("type", self.kind.word().into()), ("line", self.sale.line.word().into()), ("insurer", insurer)];
        metrics::counter!("covernote_events_total", &labels).increment(1);
        if let Some(amount) = self.amount {
            let rupees = amount.paise().unsigned_abs().div_ceil(100);
            metrics::counter!("covernote_events_rupees_total", &labels).increment(rupees);
        }
    }
}
