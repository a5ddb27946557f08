//! Steps of a journey, in order.

use domain::journey::Answers;
use domain::vocabulary;

vocabulary! {
    /// A step of the journey, named by the last part of its page's address. The progress bar, the links back
    /// and the redirects to unanswered steps follow this order.
    Step, "one of who, place, cover, plans, details, review" {
        /// Asks for the people to cover.
        Who = "who",
        /// Asks for pincode and illnesses.
        HomeAndHealth = "place",
        /// Asks for the kind of plan and the sum insured.
        Cover = "cover",
        /// Shows the plans of the quote, and lets the customer choose one.
        Plans = "plans",
        /// Asks for names, dates of birth and addresses.
        Details = "details",
        /// Shows all answers, asks for consents, and sends the application.
        Review = "review",
    }
}

impl Step {
    pub(crate) const COUNT: usize = Step::ALL.len();

    /// Number of the step in the progress bar, from 1 to [`Step::COUNT`].
    pub(crate) const fn number(self) -> usize {
        self as usize + 1
    }

    /// Previous step. `None` for the first step.
    pub(crate) fn back(self) -> Option<Step> {
        Step::ALL[..self as usize].last().copied()
    }

    /// Whether the journey has all answers for which this step asks.
    pub(crate) const fn is_answered(self, answers: &Answers) -> bool {
        match self {
            Step::Who => !answers.family.is_empty(),
            Step::HomeAndHealth => {
                answers.pincode.is_some() && answers.has_illness.is_some() && answers.porting.is_some()
            }
            Step::Cover => answers.cover.is_some(),
            Step::Plans => answers.choice.is_some(),
            Step::Details => answers.form.is_some(),
            Step::Review => answers.proposal.is_some(),
        }
    }

    /// First unanswered step of the journey. `None` if all steps are answered.
    pub(crate) fn first_unanswered(answers: &Answers) -> Option<Step> {
        Step::ALL.iter().find(|step| !step.is_answered(answers)).copied()
    }

    /// First unanswered step before this step. The customer is redirected to it.
    pub(crate) fn unanswered_before(self, answers: &Answers) -> Option<Step> {
        Step::first_unanswered(answers).filter(|first| *first < self)
    }
}

impl AsRef<str> for Step {
    fn as_ref(&self) -> &str {
        self.word()
    }
}

#[cfg(test)]
mod tests {
    use domain::person::HomePincode;

    use super::*;

    #[test]
    fn journey_steps_are_numbered_from_one_and_each_leads_back_to_the_one_before() {
        assert_eq!(Step::Who.back(), None);
        assert_eq!(Step::Who.number(), 1);
        for pair in Step::ALL.windows(2) {
            assert_eq!(pair[1].back(), Some(pair[0]));
            assert_eq!(pair[1].number(), pair[0].number() + 1);
        }
        assert_eq!(Step::Review.number(), Step::COUNT);
    }

    #[test]
    fn a_journey_leads_to_the_first_unanswered_step_before_the_requested_one() {
        let nothing = Answers::default();
        assert_eq!(Step::first_unanswered(&nothing), Some(Step::Who));
        assert_eq!(Step::Who.unanswered_before(&nothing), None);
        assert_eq!(Step::Review.unanswered_before(&nothing), Some(Step::Who));
        let half = Answers {
            pincode: Some(HomePincode::kept("560038".to_owned())),
            has_illness: Some(false),
            ..Answers::default()
        };
        assert!(!Step::HomeAndHealth.is_answered(&half));
        let home = Answers { porting: Some(None), ..half };
        assert!(Step::HomeAndHealth.is_answered(&home));
        assert_eq!(Step::Cover.unanswered_before(&home), Some(Step::Who));
    }
}
