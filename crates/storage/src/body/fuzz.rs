//! Fuzz test of stored bodies: a reader refuses the bytes, or reads a body that stays the same if it is
//! written and read again.

use fuzz::{Examples, Format};

use super::KINDS;
use super::newer::{decode_rewritten, encode_rewritten};
use super::released::newest;
use super::version::BodyKind;
use crate::body::JourneyBody;

/// Most bytes that may be written for each byte that was read. Rewriting adds the defaults of fields that
/// older rows lack.
const GROWTH: usize = 4;

fn examples() -> Examples {
    let with = |examples: Examples, (kind, bytes): (&BodyKind, Vec<u8>)| examples.with(kind.name, bytes);
    newest().into_iter().fold(Examples::of(Format::Bytes), with)
}

/// Checks one fuzzed body. `head` is the kind of the body.
fn judge(head: &str, body: &[u8]) {
    let kind = KINDS.iter().find(|kind| kind.name == head).expect("the head is a kind of body");
    if let Ok(written) = (kind.rewrite)(body) {
        assert!(written.len() <= 64 + GROWTH * body.len(), "{} bytes of {}", written.len(), body.len());
        assert_eq!((kind.rewrite)(&written).expect("readable"), written, "it changes when written again");
    }
    if head == "journey"
        && let Ok((read, as_read)) = decode_rewritten::<JourneyBody>(body)
        && let Ok(written) = encode_rewritten(&read, as_read.as_deref())
    {
        let (again, _) = decode_rewritten::<JourneyBody>(&written).expect("readable");
        assert!(again == read, "it is another journey when written again");
    }
}

#[test]
fn a_fuzzed_body_is_refused_or_stays_the_same_when_it_is_rewritten() {
    for example in examples().iter() {
        let kind = KINDS.iter().find(|kind| kind.name == example.head).expect("a kind");
        assert_eq!((kind.rewrite)(&example.body).expect("readable"), example.body);
    }
    fuzz::target!("stored_bodies", examples(), judge);
}
