//! Parses `[premium]`: how a product's premium reaches its insurer.

use domain::money::Rupees;
use domain::premium::PremiumRoute;
use domain::text::FromText;

use crate::parse::document::Section;
use crate::parse::values;
use crate::premium_terms::{DepositTerms, PremiumTerms};
use crate::product::MasterPolicy;

/// Parses the section `[premium]`, which every product must have, with the days within which an accepted proposal
/// must be paid. Pass `None` as `master_policy` if its keys have faults.
pub(super) fn parse(
    root: &Section<'_>,
    master_policy: Option<&Option<MasterPolicy>>,
) -> Option<(PremiumTerms, Option<u16>)> {
    let Some(section) = root.section("premium") else {
        if !root.has("premium") {
            let message = "`premium` is missing: the section [premium] says how the insurer gets the premium, without which there is no cover.";
            root.report("premium", message);
        }
        return None;
    };
    let route = section.required("by", |value| values::word(value, PremiumRoute::WORDS));
    let terms = route.and_then(|route| PremiumRoute::from_text(route).ok()).and_then(|route| match route {
        PremiumRoute::Deposit => {
            let borrower_pays = section.or("borrower_pays", false, values::flag);
            parse_deposit(&section, master_policy)
                .map(|deposit| PremiumTerms::Deposit { deposit, borrower_pays })
        }
        PremiumRoute::Link => Some(PremiumTerms::Link { address: section.optional("link", values::address) }),
        PremiumRoute::Here => Some(PremiumTerms::Here),
        PremiumRoute::Partner => Some(PremiumTerms::Partner),
    });
    let pay_within_days = match terms {
        Some(PremiumTerms::Deposit { .. }) => None,
        _ => section.optional("pay_within_days", |value| values::whole(value, 1, 90).map(|days| days as u16)),
    };
    if route.is_none() {
        // The route decides which keys are known. One fault suffices.
        section.mark_known(&[
            "deposit",
            "opening_balance",
            "guaranteed",
            "warn_below",
            "borrower_pays",
            "link",
        ]);
    }
    section.close();
    terms.map(|terms| (terms, pay_within_days))
}

fn parse_deposit(
    section: &Section<'_>,
    master_policy: Option<&Option<MasterPolicy>>,
) -> Option<DepositTerms> {
    let name = match master_policy {
        Some(Some(policy)) if !section.has("deposit") => Some(policy.number.clone()),
        // The master policy has a fault, which suffices.
        None if !section.has("deposit") => None,
        _ => section.required("deposit", values::text),
    };
    let opening_balance = section.or("opening_balance", Rupees::ZERO, values::amount);
    let guaranteed = section.or("guaranteed", false, values::flag);
    let warn_below = section.or("warn_below", Rupees::ZERO, values::amount);
    Some(DepositTerms { name: name?, opening_balance, guaranteed, warn_below })
}
