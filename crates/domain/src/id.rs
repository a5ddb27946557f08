//! Public ids: prefix, underscore, and a UUIDv7 in 26 characters of Crockford base32 (TypeID, D20).

use type_safe_id::{DynamicType, StaticType, TypeSafeId};

pub use uuid::{Uuid, Variant};

use crate::date::Timestamp;

/// Id of one kind of record. Ids of different kinds are different types, even if their prefix is equal.
pub type Id<K> = TypeSafeId<K>;

/// Id of any kind of record.
pub type AnyId = TypeSafeId<DynamicType>;

/// Kind of record that has an id. The kind decides the prefix of the id.
pub trait Kind: StaticType + Copy {}
impl<K: StaticType + Copy> Kind for K {}

/// Prefix of this kind's ids, without the underscore: `pol` for policies.
pub const fn prefix<K: Kind>() -> &'static str {
    K::TYPE
}

/// Declares the kinds of records that have ids, with their prefixes.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $prefix:literal, $alias:ident;)*) => {
        /// Kinds of records that have ids.
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
    /// Quote of credit life or health.
    Quote = "quo", QuoteId;
    /// One variant's item in a quote, or a whole recommendation.
    Recommendation = "rec", RecommendationId;
    Product = "pro", ProductId;
    Proposal = "pro", ProposalId;
    /// Variant of a product.
    Variant = "vrt", VariantId;
    Session = "ses", SessionId;
    Policy = "pol", PolicyId;
    Partner = "par", PartnerId;
    /// Enterprise to which a partner attributes a quote.
    Enterprise = "ent", EnterpriseId;
    Insurer = "ins", InsurerId;
    /// Insured member of a policy.
    Member = "mem", MemberId;
    /// Nominee of a policy.
    Nominee = "nom", NomineeId;
    Claim = "clm", ClaimId;
    /// Document uploaded for a claim.
    ClaimDocument = "doc", ClaimDocumentId;
    Complaint = "cmp", ComplaintId;
    /// Monthly statement.
    Statement = "stm", StatementId;
    /// Customer's visit to the hosted pages.
    Journey = "jny", JourneyId;
    Event = "evt", EventId;
    /// Person of the operator's team.
    Operator = "opr", OperatorId;
    /// Act that waits for the approval of a second operator.
    Approval = "apr", ApprovalId;
    /// URL to which events of a partner are delivered.
    WebhookEndpoint = "whe", WebhookEndpointId;
}

/// When the record of an id was made, in milliseconds. `None` if the id has no time.
pub fn made_at(id: Uuid) -> Option<Timestamp> {
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    Timestamp::new(seconds.try_into().ok()?, nanoseconds.try_into().ok()?).ok()
}

/// Derives the id of a record's part from the record's id and a number. So the part's id need not be stored.
pub fn counted_on<Whole: Kind, Part: Kind>(whole: Id<Whole>, number: u32) -> Id<Part> {
    let own = whole.uuid().as_u128();
    let low = (own as u32).wrapping_add(number);
    Id::from_uuid(Uuid::from_u128((own & !u128::from(u32::MAX)) | u128::from(low)))
}

/// Number of characters of an id after the prefix and underscore.
pub const SUFFIX: usize = 26;

/// The characters of an id after its prefix and underscore, in ASCII. Faster than `Display`: a page of health
/// quotes has hundreds of ids, and formatting them took most of the time.
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
        fn the_suffix_of_an_id_is_its_text_without_the_prefix(number: u128) {
            let id = QuoteId::from_uuid(Uuid::from_u128(number));
            let suffix = suffix(id);
            prop_assert_eq!(format!("quo_{}", String::from_utf8_lossy(&suffix)), id.to_string());
        }
    }

    #[test]
    fn an_id_is_written_as_its_prefix_and_26_characters() {
        let id = ProposalId::from_uuid(Uuid::from_u128(0x0192_f3a1_b2c3_7def_8123_4567_89ab_cdef));
        let text = id.to_string();
        assert_eq!(text.len(), "pro_".len() + 26);
        assert_eq!(text.parse::<ProposalId>().expect("its own text"), id);
    }

    #[test]
    fn an_id_of_another_kind_is_refused() {
        let quote = QuoteId::from_uuid(Uuid::from_u128(7)).to_string();
        assert!(quote.parse::<ProposalId>().is_err());
    }
}
