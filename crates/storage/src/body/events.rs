//! Events in bodies.

use domain::event::EventData;

use super::record::record;

/// What an event tells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EventBody {
    pub(crate) data: EventData,
}

record! {
    EventBody { 0: data }
    EventData {
        0: status, 1: previous_status, 2: moved_by, 3: line, 4: quote, 5: proposal, 6: policy, 7: claim, 8: reference,
        9: number, 10: insurer_number, 11: kind, 12: nth, 13: amount, 14: due_on, 15: paid_on, 16: month, 17: priced,
    }
}
