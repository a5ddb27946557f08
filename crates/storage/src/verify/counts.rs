//! Verifies counts: each must equal the number of its records, and every record must be counted.

use crate::fields::Coded;
use std::collections::BTreeMap;

use domain::date::Timestamp;
use domain::id::{PartnerId, kind};
use domain::line::LineOfBusiness;
use ports::storage::{Result, StorageError};

use super::{Fault, Look, named};
use crate::records::counted::day_number_of;
use crate::records::list::List;
use crate::verify::records::IMPORTS_SINCE;

/// Every list for whose records counts are stored.
fn lists() -> impl Iterator<Item = List> {
    let of_lines = |list: fn(LineOfBusiness) -> List| LineOfBusiness::ALL.iter().copied().map(list);
    of_lines(List::proposals).chain(of_lines(List::policies)).chain([List::health_quotes(), List::claims()])
}

pub(super) fn counts(look: &mut Look<'_>) {
    for mut list in lists() {
        if look.schema < IMPORTS_SINCE {
            list.shown = list.table;
        }
        let kind = list.counted[0].code().to_string();
        let statement = |template: &str| list.statement(&template.replace("{kind}", &kind));
        let rule = format!("count of {}", list.name);
        let days = statement(include_str!("../../sql/verify/records_of_days.sql"));
        let counts = statement(include_str!("../../sql/verify/day_counts.sql"));
        let mut numbers = Numbers::new();
        let done = look.read_days(&days, &counts, &mut numbers);
        for ((of, day), (there, counted)) in &numbers {
            if there != counted {
                let record = format!("day_counts {of} {day}");
                look.verified.add(Fault::new(record, rule.as_str(), there, counted));
            }
        }
        let counted = numbers.values().filter(|(_, counted)| *counted > 0).count();
        look.end("day_counts", counted as u64, done);
        let of_session = named::<kind::Session>("session_id");
        let sessions = statement(include_str!("../../sql/verify/session_counts.sql"));
        look.rows("session_counts", &sessions, &of_session, |row, found| {
            found.same(&rule, row.get::<i64>(3)?, row.get(2)?);
            Ok(())
        });
        let uncounted = statement(include_str!("../../sql/verify/uncounted_sessions.sql"));
        look.without("session_counts", &rule, &uncounted, &of_session);
    }
}

/// Number of records that exist, and number that was counted, by partner and day. The map is small: one entry
/// for each day of each partner.
type Numbers = BTreeMap<(PartnerId, i32), (i64, i64)>;

impl Look<'_> {
    fn read_days(&self, records: &str, counts: &str, numbers: &mut Numbers) -> Result<()> {
        self.from.each(records, &mut |row| {
            let second = row.get::<i64>(1)? * 24 * 60 * 60;
            let day = Timestamp::from_second(second)
                .map_err(|_| StorageError::Damaged("the day of a record is out of range".into()))?;
            numbers.entry((row.get(0)?, day_number_of(day))).or_default().0 += row.get::<i64>(2)?;
            Ok(())
        })?;
        self.from.each(counts, &mut |row| {
            numbers.entry((row.get(0)?, row.get(1)?)).or_default().1 += row.get::<i64>(2)?;
            Ok(())
        })
    }
}
