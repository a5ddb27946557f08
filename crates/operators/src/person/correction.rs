//! Corrections of a person's data (DPDP Act, section 12).

use domain::date::Date;
use domain::endorsement::{EndorsementChange, EndorsementKind, EndorsementState};
use domain::id::PolicyId;
use domain::person::PersonalLine;
use serde_json::{Value, json};
use service::Error;
use service::person::correction::{Corrected, Correction};
use web::error::Problem;

use crate::act::answer::Done;
use crate::act::arguments::bad;
use crate::act::input::input;
use crate::act::shown::{answer, words};
use crate::act::{About, Act, On, Result, Role, post};
use crate::person::{KnownBy, OneOf, chosen};

input! {
    /// Correct a person's data on policies; makes an endorsement of each policy that has the identifier
    struct CorrectPerson {
        /// Reason of the correction, such as the person's request; stored with each endorsement
        reason: PersonalLine,
        /// New mobile number
        #[flag(value = "MOBILE")]
        new_mobile: Option<String>,
        /// New e-mail address
        #[flag(value = "EMAIL")]
        new_email: Option<String>,
        /// Title with the correct name: MR, MRS or MS [default: the title that the policy has]
        #[flag(value = "TITLE", requires = &["new_first_name"])]
        new_title: Option<String>,
        /// Correct first name
        #[flag(value = "NAME", requires = &["new_last_name"])]
        new_first_name: Option<String>,
        /// Correct last name
        #[flag(value = "NAME", requires = &["new_first_name"])]
        new_last_name: Option<String>,
        /// Correct date of birth, YYYY-MM-DD; the premium is calculated again
        new_date_of_birth: Option<Date>,
        /// Change nothing; print which policies would be endorsed
        #[flag(is_preview = true)]
        plan: bool,
    } with {
        known_by: KnownBy,
        one_of: OneOf,
    }
}

impl CorrectPerson {
    /// Parses the corrections as changes of an endorsement.
    fn changes(&self, on: &On) -> Result<Vec<EndorsementChange>> {
        let mut wanted = Vec::new();
        if self.new_mobile.is_some() || self.new_email.is_some() {
            let mut contact = serde_json::Map::new();
            contact.extend(self.new_mobile.clone().map(|mobile| ("mobile".to_owned(), mobile.into())));
            contact.extend(self.new_email.clone().map(|email| ("email".to_owned(), email.into())));
            wanted.push(json!({ "kind": "CONTACT", "contact": contact }));
        }
        if self.new_first_name.is_some() || self.new_last_name.is_some() {
            let (first, last) = (&self.new_first_name, &self.new_last_name);
            // Without a title, each policy keeps its own.
            let title = self.new_title.as_deref().unwrap_or("MS");
            let name = json!({ "title": title, "first_name": first, "last_name": last });
            wanted.push(json!({ "kind": "NAME", "name": name }));
        }
        if let Some(born) = self.new_date_of_birth {
            let born = born.strftime("%d/%m/%Y").to_string();
            wanted.push(json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": born }));
        }
        if wanted.is_empty() {
            return Err(bad(
                "Give at least one correction: a mobile number, an e-mail address, a name or a date of birth.",
            ));
        }
        let today = on.service.policies.today();
        let read = |wanted: &Value| {
            let (change, _) =
                web::read_endorsement(wanted.as_object().unwrap_or(&serde_json::Map::new()), today)
                    .map_err(Error::Invalid)?;
            Ok(change)
        };
        wanted.iter().map(read).collect()
    }
}

impl Act for CorrectPerson {
    const ABOUT: About =
        post("person.correct", "/persons/correction", &[Role::Underwriting, Role::Compliance]).in_steps();

    type Answer = Done<PersonCorrected>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let person = chosen(on, &self.known_by.identifier(), &self.one_of).await?;
        let correction = Correction {
            changes: self.changes(on)?,
            note: self.reason.clone(),
            keeps_title: self.new_title.is_none(),
            plan: self.plan,
        };
        let all = on.service.corrections.correct(&person, &correction).await?;
        let (mut endorsements, mut refused) = (Vec::new(), Vec::new());
        for Corrected { policy, change, outcome } in all {
            match outcome {
                Ok(made) => {
                    let (number, status) = made.unzip();
                    endorsements.push(Correctable { policy_id: policy, kind: change.kind(), number, status });
                }
                Err(fault) => {
                    refused.push(format!("{policy}, {}: {}", change.kind(), Problem::from(fault).detail()))
                }
            }
        }
        let is_nothing = endorsements.is_empty() && refused.is_empty();
        let done = Done::of(match self.plan {
            true => PersonCorrected { planned: endorsements, endorsements: Vec::new() },
            false => PersonCorrected { planned: Vec::new(), endorsements },
        });
        Ok(match is_nothing {
            true => done.saying(
                "No policy has this identifier. A partner can correct a proposal while it is a draft.",
            ),
            false => done.refusing(refused),
        })
    }
}

answer! {
    /// A correction of a person's data
    struct PersonCorrected {
        /// Endorsements that would be made
        planned: Vec<Correctable>,
        /// Endorsements that were made
        endorsements: Vec<Correctable>,
    }
}

answer! {
    /// An endorsement that corrects a policy
    struct Correctable {
        /// Policy
        policy_id: PolicyId,
        /// Kind of endorsement
        kind: EndorsementKind,
        /// Number of the endorsement
        #[shown(label = "endorsement")]
        number: Option<u16>,
        /// Status of the endorsement
        status: Option<EndorsementState>,
    }
}

words!(EndorsementKind);
