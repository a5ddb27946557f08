//! A look at counts: each equals the records that it counts, and every record is counted.

use std::iter::Peekable;

use domain::id::{PartnerId, SessionId, Uuid};
use domain::line::LineOfBusiness;
use rusqlite::Row;

use super::Look;
use crate::codes::Coded;
use crate::rows::counted::{Counted, day_number_of};
use crate::rows::list::List;
use crate::sqlite::health_quote::LIST as HEALTH_QUOTES;
use crate::sqlite::row::instant;

/// Every list, whose records are counted.
fn lists() -> impl Iterator<Item = List> {
    let of_lines = |list: fn(LineOfBusiness) -> List| LineOfBusiness::ALL.iter().copied().map(list);
    of_lines(List::proposals).chain(of_lines(List::policies)).chain([HEALTH_QUOTES, List::claims()])
}

/// Every count equals the records that it counts, and every record is counted.
pub(super) fn counts(look: &mut Look<'_>) {
    let (mut days, mut sessions) = (0, 0);
    (look.progress)("counts", 0);
    for list in lists() {
        let records = list.statement(include_str!("../../../sql/verify/by_time.sql"));
        let counts = include_str!("../../../sql/verify/day_counts.sql");
        let counted = look.compare(
            &records,
            counts,
            list.counted[0],
            day_of_record,
            day_of_count,
            |look, key, numbers| {
                let (of, day) = key;
                look.fault(format!("day_counts {} {day}", partner_name(of)), miscounted(list.name, numbers));
            },
        );
        days += look.check_count("day_counts", counted);
        let records = list.statement(include_str!("../../../sql/verify/by_session.sql"));
        let counts = include_str!("../../../sql/verify/session_counts.sql");
        let counted =
            look.compare(&records, counts, list.counted[0], session_of, session_of, |look, key, numbers| {
                let session = SessionId::from_uuid(Uuid::from_bytes(key.1));
                look.fault(format!("session_counts {session}"), miscounted(list.name, numbers));
            });
        sessions += look.check_count("session_counts", counted);
    }
    look.verified.tables.extend([("day_counts", days), ("session_counts", sessions)]);
}

fn partner_name(of: [u8; 16]) -> String {
    PartnerId::from_uuid(Uuid::from_bytes(of)).to_string()
}

fn miscounted(what: &str, Numbers { there, counted }: Numbers) -> String {
    format!("{counted} {what} are counted, {there} are there")
}

fn day_of_record(row: &Row<'_>) -> rusqlite::Result<([u8; 16], i64)> {
    Ok((row.get(0)?, i64::from(day_number_of(instant(row, 1)?))))
}

fn day_of_count(row: &Row<'_>) -> rusqlite::Result<([u8; 16], i64)> {
    Ok((row.get(0)?, row.get(1)?))
}

fn session_of(row: &Row<'_>) -> rusqlite::Result<([u8; 16], [u8; 16])> {
    Ok((row.get(0)?, row.get(1)?))
}

/// Records under one key, and what is counted of them.
struct Numbers {
    there: i64,
    counted: i64,
}

impl Look<'_> {
    /// Walks records and counts side by side, both in the order of what they are counted by, and tells where their
    /// numbers differ. Returns how many counts there are.
    fn compare<K: Ord + Copy>(
        &mut self,
        records: &str,
        counts: &str,
        kind: Counted,
        key_of_record: fn(&Row<'_>) -> rusqlite::Result<K>,
        key_of_count: fn(&Row<'_>) -> rusqlite::Result<K>,
        differ: impl Fn(&mut Self, K, Numbers),
    ) -> rusqlite::Result<u64> {
        let (mut records, mut counts) = (self.from.prepare(records)?, self.from.prepare(counts)?);
        let mut records = records.query_map((), key_of_record)?.peekable();
        let mut counts = counts.query_map([kind.code()], |row| Ok((key_of_count(row)?, row.get(2)?)))?;
        let (mut record, mut count) = (next_group(&mut records)?, counts.next().transpose()?);
        let mut rows = 0;
        while let Some(key) = [record, count].iter().flatten().map(|(key, _)| *key).min() {
            let number = |of: Option<(K, i64)>| of.filter(|(of, _)| *of == key).map(|(_, number)| number);
            let (there, counted) = (number(record), number(count));
            if there.unwrap_or(0) != counted.unwrap_or(0) {
                let (there, counted) = (there.unwrap_or(0), counted.unwrap_or(0));
                differ(self, key, Numbers { there, counted });
            }
            if there.is_some() {
                record = next_group(&mut records)?;
            }
            if counted.is_some() {
                count = counts.next().transpose()?;
                rows += 1;
            }
        }
        Ok(rows)
    }

    fn check_count(&mut self, table: &'static str, counted: rusqlite::Result<u64>) -> u64 {
        counted.unwrap_or_else(|cause| {
            self.fault(table, format!("it cannot be compared with its records: {cause}"));
            0
        })
    }
}

/// The next key in a row of equal ones, with how often it comes.
fn next_group<K: PartialEq + Copy>(
    records: &mut Peekable<impl Iterator<Item = rusqlite::Result<K>>>,
) -> rusqlite::Result<Option<(K, i64)>> {
    let Some(first) = records.next().transpose()? else { return Ok(None) };
    let mut number = 1;
    while records.next_if(|next| next.as_ref().is_ok_and(|next| *next == first)).is_some() {
        number += 1;
    }
    Ok(Some((first, number)))
}
