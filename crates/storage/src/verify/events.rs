//! Verifies events, the count of events of each subject, and webhook deliveries.

use domain::id::{Uuid, kind};

use super::{Look, named};
use crate::fields::RowFields;
use crate::records::event::Found as FoundEvent;
use crate::records::webhook::{FoundDelivery, FoundEndpoint};

pub(super) fn events(look: &mut Look<'_>) {
    look.rows("events", include_str!("../../sql/verify/events.sql"), named::<kind::Event>, |row, found| {
        found.read(FoundEvent::columns(row)?.open(found.seal, row.get(6)?));
        Ok(())
    });
}

/// Checks that the stored events of each subject are its newest events, without a gap. Older events are
/// removed after a while.
pub(super) fn counts(look: &mut Look<'_>) {
    let name = |row: RowFields<'_>| row.get::<Uuid>(1).map(|id| id.to_string());
    look.rows("event_counts", include_str!("../../sql/verify/event_counts.sql"), name, |row, found| {
        let (number, kept): (i64, i64) = (row.get(2)?, row.get(3)?);
        let newest: Option<i64> = row.get(4)?;
        if let Some(oldest) = row.get::<Option<i64>>(5)? {
            found.same_or_none("newest event", Some(number), newest);
            found.same("number of events from the oldest to the newest", number - oldest + 1, kept);
        }
        Ok(())
    });
    let uncounted = include_str!("../../sql/verify/uncounted_events.sql");
    look.without("events", "count of the subject's events", uncounted, named::<kind::Event>);
}

pub(super) fn endpoints(look: &mut Look<'_>) {
    let name = |row: RowFields<'_>| named::<kind::WebhookEndpoint>(row.from(1));
    let all = include_str!("../../sql/verify/webhook_endpoints.sql");
    look.rows("webhook_endpoints", all, name, |row, found| {
        found.read(FoundEndpoint::columns(row)?.open(found.seal));
        Ok(())
    });
}

pub(super) fn deliveries(look: &mut Look<'_>) {
    let name = |row: RowFields<'_>| named::<kind::Event>(row.from(2));
    look.rows("deliveries", include_str!("../../sql/verify/deliveries.sql"), name, |row, found| {
        found.read(FoundDelivery::columns(row)?.open(found.seal));
        Ok(())
    });
}
