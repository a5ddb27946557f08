//! An application as the operator reads it who goes on with it: what the customer filled in, line by line.

use domain::health_proposal::{Consent, JourneyProposal};
use domain::money::Rupees;

use crate::error::Error;
use crate::line::health::variant_of;
use crate::proposal_list::OperatorProposalService;

impl OperatorProposalService {
    /// What a customer filled in on the journey, line by line, for the operator who goes on with the application: plan,
    /// people with their illnesses by name, contact, and what was agreed to.
    ///
    /// # Errors
    /// [`Error::Storage`] when its catalogue version is gone.
    pub async fn application_of(&self, made: &JourneyProposal) -> Result<Vec<(&'static str, String)>, Error> {
        let catalogue = self.catalogues.version(made.chosen.catalogue).await?;
        let variant = variant_of(&catalogue, &made.chosen)?;
        let (chosen, form) = (&made.chosen, &made.form);
        let mut lines = vec![
            ("insurer", variant.insurer().name.clone()),
            ("plan", format!("{}, {}", variant.product.name, variant.name)),
            ("sum insured", chosen.sum_insured.grouped()),
        ];
        if chosen.deductible > Rupees::ZERO {
            lines.push(("deductible", chosen.deductible.grouped()));
        }
        if let Some(porting) = chosen.porting {
            let years = porting.tenure.map_or_else(String::new, |years| format!(", which ran {years} years"));
            lines.push(("porting", format!("a policy of another insurer{years}")));
        }
        let proposer = &form.proposer;
        lines.extend([
            ("proposer", format!("{}, born {}", proposer.name.reveal(), proposer.born.reveal())),
            ("mobile", proposer.phone.reveal().to_owned()),
            ("e-mail", proposer.email.as_ref().map_or_else(String::new, |email| email.reveal().to_owned())),
            ("address", proposer.address.in_one_line()),
        ]);
        for member in &form.members {
            let illnesses: Vec<&str> =
                member.illnesses.iter().map(|id| catalogue.illness_name(id.reveal())).collect();
            let illnesses = if illnesses.is_empty() { "none".to_owned() } else { illnesses.join(", ") };
            let (name, relation) = (member.name.reveal(), member.relationship.reveal());
            let (gender, born) = (member.gender.reveal(), member.born.reveal());
            lines.push((
                "member",
                format!("{name}, {relation}, {gender}, born {born}, illnesses: {illnesses}"),
            ));
        }
        let nominee = &form.nominee;
        let phone = nominee.phone.as_ref().map_or_else(String::new, |phone| format!(", {}", phone.reveal()));
        lines.push((
            "nominee",
            format!("{}, {}{phone}", nominee.name.reveal(), nominee.relationship.reveal()),
        ));
        for Consent { purpose, given, at, text, .. } in &made.consents {
            let answer = if *given { "agreed" } else { "not agreed" };
            let text = text.as_ref().map_or_else(String::new, |text| format!(": {text}"));
            lines.push(("consent", format!("{purpose}: {answer}, {at}{text}")));
        }
        Ok(lines)
    }
}
