//! Ids: a prefix, an underscore and a UUIDv7 in 26 characters of Crockford base32 (TypeIDs, D20).

use type_safe_id::{StaticType, TypeSafeId};

pub use uuid::{Uuid, Variant};

/// An id of one kind of thing. Ids of different kinds do not mix, even where their text begins alike.
pub type Id<K> = TypeSafeId<K>;

/// A kind of thing that has an id: its prefix, and nothing else.
pub trait Kind: StaticType + Copy {}
impl<K: StaticType + Copy> Kind for K {}

/// What ids of a kind begin with, without the underscore: `pol` for policies.
pub const fn prefix<K: Kind>() -> &'static str {
    K::TYPE
}

/// Declares the kinds of things that have ids, each with its prefix.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $prefix:literal, $alias:ident;)*) => {
        /// The kinds of things that have an id.
        pub mod kind {
            $($(#[$doc])* #[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)] pub struct $kind;)*
        }
        $(
            impl StaticType for kind::$kind {
                const TYPE: &'static str = $prefix;
            }
            #[doc = concat!("`", $prefix, "_…`")]
            pub type $alias = Id<kind::$kind>;
        )*
    };
}

kinds! {
    /// A quote of either family.
    Quote = "quo", QuoteId;
    /// One variant's item in a quote.
    Recommendation = "rec", RecommendationId;
    /// An insurer's product.
    Product = "pro", ProductId;
    /// A proposal.
    Proposal = "pro", ProposalId;
    /// A variant of a product.
    Variant = "vrt", VariantId;
    /// A partner's session.
    Session = "ses", SessionId;
    /// An issued policy.
    Policy = "pol", PolicyId;
    /// A partner.
    Partner = "par", PartnerId;
    /// An enterprise that a partner attributes a quote to.
    Enterprise = "ent", EnterpriseId;
    /// An insurer.
    Insurer = "ins", InsurerId;
    /// An insured member of a policy.
    Member = "mem", MemberId;
    /// A nominee of a policy.
    Nominee = "nom", NomineeId;
    /// A claim on a policy.
    Claim = "clm", ClaimId;
    /// A paper that was uploaded for a claim.
    ClaimDocument = "doc", ClaimDocumentId;
    /// A complaint.
    Complaint = "cmp", ComplaintId;
    /// A statement of a month.
    Statement = "stm", StatementId;
    /// A customer's way through the hosted pages.
    Journey = "jny", JourneyId;
    /// Something that happened.
    Event = "evt", EventId;
    /// Where a partner has events delivered.
    WebhookEndpoint = "whe", WebhookEndpointId;
}

/// The id of a part of a record: the record's own with a number counted on, so that it need not be kept.
pub fn counted_on<Whole: Kind, Part: Kind>(whole: Id<Whole>, number: u32) -> Id<Part> {
    let own = whole.uuid().as_u128();
    let low = (own as u32).wrapping_add(number);
    Id::from_uuid(Uuid::from_u128((own & !u128::from(u32::MAX)) | u128::from(low)))
}

/// Characters of an id behind its prefix.
pub const SUFFIX: usize = 26;

/// Writes the characters of an id behind its prefix, in ASCII: what it prints as, without the machinery of formatting, and
/// where it is wanted. A page of health quotes has hundreds of ids, and a processor waits where it copies what it has just
/// written in smaller parts.
#[inline]
pub fn write_suffix<K: Kind>(id: Id<K>, text: &mut [u8; SUFFIX]) {
    let whole = id.uuid().as_u128();
    // Ten bits each, from the last: twelve characters of 60 bits, twelve more, and two of what is left.
    let parts = [(whole >> 120) as u64, (whole >> 60) as u64, whole as u64];
    let (first, rest) = text.split_at_mut(2);
    let (middle, last) = rest.split_at_mut(12);
    for (mut part, characters) in parts.into_iter().zip([first, middle, last]) {
        for two in characters.rchunks_exact_mut(2) {
            two.copy_from_slice(&PAIRS[(part % 1024) as usize]);
            part /= 1024;
        }
    }
}

/// The two characters of each number of ten bits.
static PAIRS: [[u8; 2]; 1024] = {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut pairs = [[0; 2]; 1024];
    let mut number = 0;
    while number < pairs.len() {
        pairs[number] = [DIGITS[number / 32], DIGITS[number % 32]];
        number += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_suffix_is_what_the_id_prints(number: u128) {
            let id = QuoteId::from_uuid(Uuid::from_u128(number));
            let mut suffix = [0; SUFFIX];
            write_suffix(id, &mut suffix);
            prop_assert_eq!(format!("quo_{}", String::from_utf8_lossy(&suffix)), id.to_string());
        }
    }

    #[test]
    fn an_id_is_its_prefix_and_26_characters() {
        let id = ProposalId::from_uuid(Uuid::from_u128(0x0192_f3a1_b2c3_7def_8123_4567_89ab_cdef));
        let text = id.to_string();
        assert_eq!(text.len(), "pro_".len() + 26);
        assert_eq!(text.parse::<ProposalId>().expect("its own text"), id);
    }

    #[test]
    fn an_id_of_another_kind_is_not_read() {
        let quote = QuoteId::from_uuid(Uuid::from_u128(7)).to_string();
        assert!(quote.parse::<ProposalId>().is_err());
    }
}
