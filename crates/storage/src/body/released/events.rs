//! Example bodies of events, for the tests of released encodings.

use domain::date::Date;
use domain::event::EventData;
use domain::id::{PolicyId, ProposalId, QuoteId, Uuid};
use domain::identifier::Reference;
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::proposal::Actor;

use super::super::EventBody;
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    vec![
        Example::newest("event.v1", EventBody { data: all() }),
        Example::newest(
            "event.v1.traced",
            EventBody {
                data: EventData {
                    trace: Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".into()),
                    ..EventData::default()
                },
            },
        ),
        Example::newest("event.v1.fewest", EventBody { data: EventData::default() }),
    ]
}

fn all() -> EventData {
    let id = Uuid::from_u128;
    EventData {
        status: Some("CANCELLED".into()),
        previous_status: Some("ISSUED".into()),
        moved_by: Some(Actor::Operator),
        line: Some(LineOfBusiness::Health),
        quote: Some(QuoteId::from_uuid(id(1))),
        proposal: Some(ProposalId::from_uuid(id(2))),
        policy: Some(PolicyId::from_uuid(id(3))),
        reference: Some(Reference::kept("LN-1")),
        number: Some("CN-1".into()),
        insurer_number: Some("I-1".into()),
        kind: Some("NOMINEE".into()),
        nth: Some(2),
        amount: Some(Rupees::from_paise(123_456)),
        due_on: Some(Date::constant(2026, 11, 20)),
        paid_on: Some(Date::constant(2026, 11, 21)),
        month: Some("2026-11".into()),
        priced: Some((3, 1)),
        session: Some(domain::id::SessionId::from_uuid(id(4))),
        until: Some(Date::constant(2026, 12, 20)),
        by_its_clock: Some(domain::date::Timestamp::constant(1_795_000_000, 0)),
        trace: None,
    }
}
