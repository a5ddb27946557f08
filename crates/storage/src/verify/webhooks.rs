//! Endpoints, and deliveries to them.

use domain::id::kind;
use rusqlite::Row;

use super::Look;
use crate::sqlite::row::id;
use crate::sqlite::webhook::{delivery_columns, endpoint_columns};

/// Every endpoint opens beside its columns.
pub(super) fn endpoints(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| id::<kind::WebhookEndpoint>(row, 1).map(|id| id.to_string());
    let all = include_str!("../../../sql/verify/webhook_endpoints.sql");
    look.rows("webhook_endpoints", all, name, |row, found| {
        found.read(endpoint_columns(row)?.open(found.seal));
        Ok(())
    });
}

/// Every delivery opens beside its columns.
pub(super) fn deliveries(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| id::<kind::Event>(row, 2).map(|id| id.to_string());
    look.rows("deliveries", include_str!("../../../sql/verify/deliveries.sql"), name, |row, found| {
        found.read(delivery_columns(row)?.open(found.seal));
        Ok(())
    });
}
