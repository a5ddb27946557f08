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
    Proposal = "pro", ProposalId;
    /// A variant of a product.
    Variant = "vrt", VariantId;
    /// A partner's session.
    Session = "ses", SessionId;
    /// An issued policy.
    Policy = "pol", PolicyId;
    Partner = "par", PartnerId;
    /// An enterprise that a partner attributes a quote to.
    Enterprise = "ent", EnterpriseId;
    Insurer = "ins", InsurerId;
    /// An insured member of a policy.
    Member = "mem", MemberId;
    /// A nominee of a policy.
    Nominee = "nom", NomineeId;
    /// A claim on a policy.
    Claim = "clm", ClaimId;
    /// A paper that was uploaded for a claim.
    ClaimDocument = "doc", ClaimDocumentId;
    Complaint = "cmp", ComplaintId;
    /// A statement of a month.
    Statement = "stm", StatementId;
    /// A customer's way through the hosted pages.
    Journey = "jny", JourneyId;
    /// Something that happened.
    Event = "evt", EventId;
    /// A person of the operator's team.
    Operator = "opr", OperatorId;
    /// An act that waits for a second operator.
    Approval = "apr", ApprovalId;
    /// Where a partner has events delivered.
    WebhookEndpoint = "whe", WebhookEndpointId;
}

/// The id of a part of a record: the record's own with a number counted on, so that it need not be kept.
pub fn counted_on<Whole: Kind, Part: Kind>(whole: Id<Whole>, number: u32) -> Id<Part> {
    let own = whole.uuid().as_u128();
    let low = (own as u32).wrapping_add(number);
    Id::from_uuid(Uuid::from_u128((own & !u128::from(u32::MAX)) | u128::from(low)))
}

/// Characters of an id after its prefix and the underscore.
pub const SUFFIX: usize = 26;

/// The characters of an id after its prefix and the underscore, in ASCII. A page of health quotes has hundreds of ids, and the
/// formatting machinery takes longer than all the rest of an item.
#[inline]
pub fn suffix<K: Kind>(id: Id<K>) -> [u8; SUFFIX] {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let number = id.uuid().as_u128();
    std::array::from_fn(|at| DIGITS[(number >> (5 * (SUFFIX - 1 - at))) as usize % DIGITS.len()])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_suffix_is_what_the_id_prints(number: u128) {
            let id = QuoteId::from_uuid(Uuid::from_u128(number));
            let suffix = suffix(id);
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
