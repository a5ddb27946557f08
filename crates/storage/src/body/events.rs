//! Encoding of events, in the encrypted body of their rows.

use domain::event::EventData;

use super::record::record;

/// Encrypted part of an event: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EventBody {
    pub(crate) data: EventData,
}

record! {
    EventBody { 0: data }
    EventData {
        0: status, 1: previous_status, 2: moved_by, 3: line, 4: quote, 5: proposal, 6: policy, 7: reference, 8: number,
        9: insurer_number, 10: kind, 11: nth, 12: amount, 13: due_on, 14: paid_on, 15: month, 16: priced,
        17: by_its_clock, 18: session, 19: until, 20: trace,
    }
}
