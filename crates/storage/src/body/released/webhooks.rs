//! Example bodies of webhook endpoints and deliveries, for the tests of released encodings.

use domain::date::Timestamp;
use domain::event::EventType;
use domain::webhook::{DeliveryAttempt, DisabledBy, SigningSecret};

use super::super::{DeliveryBody, EndpointBody};
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    let every = EndpointBody { description: None, types: None, disabled: None, ..endpoint() };
    vec![
        Example::newest("webhook_endpoint.v1", endpoint()),
        Example::newest("webhook_endpoint.v1.every", every),
        Example::newest("delivery.v1", DeliveryBody { attempts: vec![attempt(Some(503)), attempt(None)] }),
    ]
}

fn endpoint() -> EndpointBody {
    let at = |seconds| Timestamp::from_second(seconds).expect("in range");
    EndpointBody {
        url: "https://a.example".into(),
        description: Some("d".into()),
        types: Some(vec![EventType::PolicyIssued, EventType::ClaimPaid]),
        secrets: vec![
            SigningSecret { bytes: [1; 32], since: at(2), until: None },
            SigningSecret { bytes: [2; 32], since: at(1), until: Some(at(3)) },
        ],
        disabled: Some((DisabledBy::Failing, at(4))),
    }
}

fn attempt(status: Option<u16>) -> DeliveryAttempt {
    DeliveryAttempt { at: Timestamp::UNIX_EPOCH, millis: 12, status, answer: "a".into() }
}
