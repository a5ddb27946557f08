//! Verifies events, the count of events of each subject, and webhook deliveries.

use std::collections::BTreeSet;

use domain::id::kind;
use domain::webhook::DeliveryState;

use super::{Look, named, numbered};
use crate::fields::{FromRow, values};
use crate::records::event;
use crate::records::webhook::{DeliveryRow, EndpointRow, subscribed};

pub(super) fn events(look: &mut Look<'_>) {
    look.rows(
        "events",
        include_str!("../../sql/verify/events.sql"),
        named::<kind::Event>("event_id"),
        |row, found| {
            found.read(event::Row::columns(row)?.open(found.seal));
            Ok(())
        },
    );
}

/// Checks that the stored events of each subject are its newest events, without a gap. Older events are
/// removed after a while.
pub(super) fn counts(look: &mut Look<'_>) {
    let name = numbered("subject_id");
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
    look.without("events", "count of the subject's events", uncounted, named::<kind::Event>("event_id"));
}

pub(super) fn endpoints(look: &mut Look<'_>) {
    let name = named::<kind::WebhookEndpoint>("endpoint_id");
    let all = include_str!("../../sql/verify/webhook_endpoints.sql");
    look.rows("webhook_endpoints", all, name, |row, found| {
        let Some(endpoint) = found.read(EndpointRow::columns(row)?.open(found.seal)) else { return Ok(()) };
        let mut types = BTreeSet::new();
        let read = include_str!("../../sql/verify/subscriptions_of_endpoint.sql");
        let values = values![endpoint.partner, endpoint.id];
        found
            .from
            .find(read, values, &mut |row| row.get(0).map(|code: u16| types.insert(code)).map(|_| ()))?;
        let wanted: BTreeSet<u16> = subscribed(&endpoint).into_iter().map(u16::from).collect();
        found.same("subscribed event types", format!("{wanted:?}"), format!("{types:?}"));
        Ok(())
    });
}

pub(super) fn deliveries(look: &mut Look<'_>) {
    let name = named::<kind::Event>("event_id");
    look.rows("deliveries", include_str!("../../sql/verify/deliveries.sql"), name, |row, found| {
        let delivery = DeliveryRow::columns(row)?;
        let is_due = if delivery.due_at.is_some() { "pending" } else { "not pending" };
        let state = if delivery.state == DeliveryState::Pending { "pending" } else { "not pending" };
        found.same("state of the delivery by its next attempt", is_due, state);
        found.read(delivery.open(found.seal));
        Ok(())
    });
}
