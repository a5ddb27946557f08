//! Events of sales, as metrics count them: once the operation that keeps them is committed.

use domain::event::EventType;
use domain::money::Rupees;
use ports::storage::events::{CountedSale, NewEvent};

/// An event of a sale.
#[derive(Debug, Clone)]
pub(crate) struct CountedEvent {
    kind: EventType,
    sale: CountedSale,
    amount: Option<Rupees>,
}

impl CountedEvent {
    /// `None`: it is about no sale.
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
