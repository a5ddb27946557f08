//! Ranking of health offers, best first (D19).
//!
//! Each criterion gives an offer a score from 0 to 100. The total score of the offer is the weighted mean of
//! these scores. The operator sets the weights in the catalogue.

use std::fmt;

use rust_decimal::Decimal;

use crate::money::Rupees;
use crate::text::vocabulary;

/// Waiting period for pre-existing diseases, in months, from which the score is zero.
const LONGEST_WAIT: u16 = 48;

/// Co-pay in percent from which the score is zero.
const HIGHEST_COPAY: u8 = 50;

vocabulary! {
    /// Criterion by which offers are compared.
    Criterion, "one of price, claim_ratio, network, waiting, copay" {
        /// Yearly premium per rupee of cover. A deductible reduces the cover that counts. The lowest value
        /// scores 100.
        Price = "price",
        /// Claim settlement ratio of the insurer in percent, used as the score.
        ClaimRatio = "claim_ratio",
        /// Number of hospitals with cashless treatment. The largest network scores 100.
        Network = "network",
        /// Months until pre-existing diseases are covered. Zero months score 100, 48 months score zero.
        Waiting = "waiting",
        /// Customer's share of each claim. No share scores 100, 50 percent scores zero.
        Copay = "copay",
    }
}

/// Weight of each criterion, in the order of [`Criterion::ALL`]. At least one is above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights([u32; 5]);

impl Weights {
    /// Weights in the order of [`Criterion::ALL`]. `None` if all are zero.
    pub fn of(weights: [u32; 5]) -> Option<Self> {
        weights.iter().any(|weight| *weight > 0).then_some(Weights(weights))
    }

    /// Weight of one criterion.
    pub const fn weight(self, of: Criterion) -> u32 {
        self.0[of as usize]
    }

    fn sum(self) -> Decimal {
        self.0.iter().map(|weight| Decimal::from(*weight)).sum()
    }
}

/// Facts about an offer that the ranking uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Premium with tax for one year, computed from the shortest tenure.
    pub yearly_premium: Rupees,
    pub sum_insured: Rupees,
    /// Amount of each year's bills that the customer pays before the cover starts.
    pub deductible: Rupees,
    /// Claim settlement ratio of the insurer in percent.
    pub claim_ratio: Decimal,
    pub network_hospitals: u32,
    /// Months until pre-existing diseases are covered.
    pub waiting_months: u16,
    /// Customer's share of each claim, in percent.
    pub copay_percent: u8,
}

/// Scores of one offer, from 0 to 100 with two decimals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// Index of the offer in the list of candidates.
    pub index: usize,
    /// Weighted mean of the scores in `parts`.
    pub total: Decimal,
    /// Score per criterion, in the order of [`Criterion::ALL`].
    pub parts: [Decimal; 5],
}

/// Ranks candidates, best first. If scores are equal, the lower premium comes first, then the lower index.
pub fn rank(candidates: &[Candidate], weights: Weights) -> Vec<Score> {
    let lowest = candidates.iter().filter_map(price_of_cover).min();
    let largest = candidates.iter().map(|candidate| candidate.network_hospitals).max().unwrap_or(0);
    let mut scores: Vec<Score> = candidates
        .iter()
        .enumerate()
        .map(|(index, candidate)| score(index, candidate, lowest, largest, weights))
        .collect();
    scores.sort_by(|one, other| {
        let premium = |score: &Score| candidates[score.index].yearly_premium;
        (other.total.cmp(&one.total))
            .then(premium(one).cmp(&premium(other)))
            .then(one.index.cmp(&other.index))
    });
    scores
}

/// Yearly premium per rupee of effective cover. With sum insured S and deductible D, the policy pays S of the
/// first S + D rupees of bills. Effective cover is S × S / (S + D).
fn price_of_cover(candidate: &Candidate) -> Option<Decimal> {
    let sum_insured = candidate.sum_insured.to_decimal();
    let bills = sum_insured.checked_add(candidate.deductible.to_decimal())?;
    let premium = candidate.yearly_premium.to_decimal();
    premium.checked_mul(bills)?.checked_div(sum_insured)?.checked_div(sum_insured)
}

fn score(
    index: usize,
    candidate: &Candidate,
    lowest: Option<Decimal>,
    largest: u32,
    weights: Weights,
) -> Score {
    let hundred = Decimal::ONE_HUNDRED;
    let part =
        |of: Decimal, whole: Decimal| of.checked_div(whole).map_or(Decimal::ZERO, |part| part * hundred);
    let parts = Criterion::ALL.iter().map(|criterion| match criterion {
        // A premium of zero is the lowest, and avoids a division by zero.
        Criterion::Price => match (lowest, price_of_cover(candidate)) {
            (Some(lowest), Some(price)) if price > lowest => part(lowest, price),
            _ => hundred,
        },
        Criterion::ClaimRatio => candidate.claim_ratio,
        Criterion::Network => part(candidate.network_hospitals.into(), largest.into()),
        Criterion::Waiting => {
            let wait = candidate.waiting_months.min(LONGEST_WAIT);
            part((LONGEST_WAIT - wait).into(), LONGEST_WAIT.into())
        }
        Criterion::Copay => {
            let copay = candidate.copay_percent.min(HIGHEST_COPAY);
            part((HIGHEST_COPAY - copay).into(), HIGHEST_COPAY.into())
        }
    });
    let mut scores = [Decimal::ZERO; 5];
    for (score, part) in scores.iter_mut().zip(parts) {
        *score = part.round_dp(2);
    }
    let weighted: Decimal = Criterion::ALL
        .iter()
        .zip(scores)
        .map(|(criterion, score)| score * Decimal::from(weights.weight(*criterion)))
        .sum();
    Score { index, total: (weighted / weights.sum()).round_dp(2), parts: scores }
}

/// Reason for an offer's rank. `Display` gives one sentence for the customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    candidate: Candidate,
    /// Number of offers with a lower premium.
    cheaper: usize,
    /// Number of all offers.
    of: usize,
}

impl Reason {
    /// Reason for the rank of the candidate at `index`. `None` if there is no such candidate.
    pub fn of(candidates: &[Candidate], index: usize) -> Option<Self> {
        let candidate = *candidates.get(index)?;
        let cheaper =
            candidates.iter().filter(|other| other.yearly_premium < candidate.yearly_premium).count();
        Some(Reason { candidate, cheaper, of: candidates.len() })
    }

    /// Facts about the offer that the ranking uses.
    pub const fn facts(&self) -> &Candidate {
        &self.candidate
    }

    /// Number of offers with a lower premium.
    pub const fn cheaper(&self) -> usize {
        self.cheaper
    }

    /// Number of all offers.
    pub const fn offers(&self) -> usize {
        self.of
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reason { candidate, cheaper, of } = self;
        match (cheaper, of) {
            (_, 1) => to.write_str("The only plan on offer")?,
            (0, of) => write!(to, "The lowest premium of {of} plans")?,
            (cheaper, of) if cheaper + 1 == *of => write!(to, "The highest premium of {of} plans")?,
            (cheaper, of) => {
                let rank = cheaper + 1;
                let ordinal = match (rank % 10, rank % 100) {
                    (1, tens) if tens != 11 => "st",
                    (2, tens) if tens != 12 => "nd",
                    (3, tens) if tens != 13 => "rd",
                    _ => "th",
                };
                write!(to, "The {rank}{ordinal} lowest premium of {of} plans")?;
            }
        }
        if candidate.deductible > Rupees::ZERO {
            write!(to, "; you pay the first {} of a year's bills yourself", candidate.deductible.grouped())?;
        }
        write!(to, "; the insurer settled {} % of its claims", candidate.claim_ratio.normalize())?;
        let hospitals = Rupees::whole(candidate.network_hospitals.into()).grouped();
        let hospitals = hospitals.trim_start_matches('₹');
        write!(to, "; {hospitals} hospitals treat you without payment in advance")?;
        match candidate.waiting_months {
            0 => to.write_str("; illnesses you already have are covered from the first day")?,
            months => write!(to, "; illnesses you already have are covered after {months} months")?,
        }
        match candidate.copay_percent {
            0 => to.write_str("; you pay no share of your claims."),
            percent => write!(to, "; you pay {percent} % of every claim."),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidate(premium: i64) -> Candidate {
        Candidate {
            yearly_premium: Rupees::whole(premium),
            sum_insured: Rupees::whole(1_000_000),
            deductible: Rupees::ZERO,
            claim_ratio: Decimal::from(95),
            network_hospitals: 8000,
            waiting_months: 24,
            copay_percent: 0,
        }
    }

    fn weights() -> Weights {
        Weights::of([40, 20, 15, 15, 10]).expect("above zero")
    }

    #[test]
    fn the_cheaper_of_otherwise_equal_offers_ranks_higher() {
        let order: Vec<usize> = rank(&[candidate(9000), candidate(8000), candidate(8500)], weights())
            .iter()
            .map(|s| s.index)
            .collect();
        assert_eq!(order, [1, 2, 0]); // D19
    }

    #[test]
    fn each_criterion_alone_decides_between_otherwise_equal_offers() {
        let plain = candidate(8000);
        let better = [
            Candidate { yearly_premium: Rupees::whole(7000), ..plain },
            Candidate { claim_ratio: Decimal::from(99), ..plain },
            Candidate { network_hospitals: 9000, ..plain },
            Candidate { waiting_months: 12, ..plain },
        ];
        for better in better {
            assert_eq!(rank(&[plain, better], weights())[0].index, 1, "{better:?}");
        }
        let worse = Candidate { copay_percent: 20, ..plain };
        assert_eq!(rank(&[worse, plain], weights())[0].index, 1);
    }

    #[test]
    fn the_ranking_weighs_the_deductible_of_an_offer_against_its_premium() {
        // 5,976 above 5 lakh and 7,854 above 2 lakh: 8,964 against 9,424.80 for a cover of ten lakh.
        let above =
            |premium, deductible| Candidate { deductible: Rupees::whole(deductible), ..candidate(premium) };
        let better = |one, other| rank(&[one, other], weights())[0].index;
        assert_eq!(better(above(5976, 500_000), above(7854, 200_000)), 0);
        assert_eq!(better(above(5976, 500_000), above(7400, 200_000)), 1, "8,964 against 8,880");
        assert_eq!(better(above(6000, 500_000), above(6000, 300_000)), 1);
        let reason = Reason::of(&[above(6000, 500_000)], 0).expect("there").to_string();
        assert!(reason.contains("; you pay the first ₹5,00,000 of a year's bills yourself;"), "{reason}");
    }

    #[test]
    fn the_score_of_an_offer_is_the_weighted_mean_of_its_criteria() {
        let scores = rank(&[candidate(8000), candidate(10_000)], weights());
        let parts = [80, 95, 100, 50, 100].map(Decimal::from);
        assert_eq!(scores[1].parts, parts);
        // (80×40 + 95×20 + 100×15 + 50×15 + 100×10) / 100
        assert_eq!(scores[1].total, Decimal::new(8350, 2));
    }

    #[test]
    fn the_reason_for_a_rank_is_a_sentence_for_the_customer() {
        let candidates = [candidate(8000), Candidate { copay_percent: 20, ..candidate(7000) }];
        let reason = |index| Reason::of(&candidates, index).expect("there").to_string();
        assert_eq!(
            reason(0),
            "The highest premium of 2 plans; the insurer settled 95 % of its claims; 8,000 hospitals treat you without payment in advance; illnesses you already have are covered after 24 months; you pay no share of your claims."
        );
        assert!(reason(1).ends_with("you pay 20 % of every claim."));
    }

    proptest! {
        #[test]
        fn every_offer_is_ranked_once_with_a_score_from_0_to_100(
            offers in prop::collection::vec((0_i64..10_i64.pow(9), 0_u32..=100, 0_u32..20_000, 0_u16..60, 0_u8..=100), 1..30),
        ) {
            let candidates: Vec<Candidate> = offers
                .into_iter()
                .map(|(premium, ratio, network_hospitals, waiting_months, copay_percent)| Candidate {
                    yearly_premium: Rupees::whole(premium),
                    sum_insured: Rupees::whole(500_000),
                    deductible: Rupees::ZERO,
                    claim_ratio: ratio.into(),
                    network_hospitals,
                    waiting_months,
                    copay_percent,
                })
                .collect();
            let scores = rank(&candidates, weights());
            let mut indexes: Vec<usize> = scores.iter().map(|score| score.index).collect();
            indexes.sort_unstable();
            prop_assert_eq!(indexes, (0..candidates.len()).collect::<Vec<_>>());
            prop_assert!(scores.iter().all(|score| score.total >= Decimal::ZERO && score.total <= Decimal::ONE_HUNDRED));
            prop_assert!(scores.is_sorted_by(|better, worse| better.total >= worse.total));
        }
    }
}
