//! Facts about a health proposal for the person who decides it.

use domain::bank::{BankAccount, Ifsc};
use domain::date::{Date, day_of};
use domain::health_proposal::{
    Chosen, Consent, HealthNominee, HealthProposal, HealthProposer, ImportedProposal, InsuredMember,
    JourneyProposal,
};
use domain::health_quote::{Customer, HealthQuote, HealthRequest, Member};
use domain::journey::Journey;
use domain::money::Rupees;
use domain::person::{Email, Mobile, PersonalLine};
use rating::{Catalogue, Connector, HealthVariant};

use super::facts::{born, price, product};
use crate::line::person::Facts;

/// Facts of a proposal that was made on the journey. Ages are computed for a policy that is issued on the day
/// `on`.
pub(super) fn facts(
    proposal: &HealthProposal,
    made: &JourneyProposal,
    catalogue: &Catalogue,
    variant: &HealthVariant,
    on: Date,
) -> Facts {
    let form = &made.form;
    let cover = cover(&made.chosen).text("tenure_years", proposal.application.tenure);
    let cover = cover.text("starts", made.starts(on));
    let members = form.members.iter().map(|one| member(one, catalogue, on));
    Facts::default()
        .group("product", product(&variant.product, &variant.name))
        .group("cover", cover)
        .text("quoted_at", made.quoted.at)
        .group("proposer", proposer(&form.proposer, on).text("gender", form.gender.reveal()))
        .list("insured_members", members)
        .list("nominees", [nominee(&form.nominee)])
        .list("consents", made.consents.iter().map(consent))
        .group("price", price(proposal.premium, steps(proposal, made, variant).as_deref()))
}

/// The facts of an imported proposal. Its record names the plan.
pub(super) fn imported_facts(proposal: &HealthProposal, brought: &ImportedProposal) -> Facts {
    let plan = &brought.plan;
    let product = Facts::default()
        .text("insurer", &plan.insurer_name)
        .text("product", &plan.product_name)
        .text("variant", &plan.variant_name);
    let proposer = Facts::default()
        .text("name", brought.name.reveal())
        .text("mobile", brought.phone.reveal())
        .text("email", brought.email.reveal());
    Facts::default()
        .group("product", product)
        .text("tenure_years", proposal.application.tenure)
        .group("proposer", proposer)
        .text("form_responses", brought.form_responses.reveal())
}

fn cover(chosen: &Chosen) -> Facts {
    let porting = chosen.porting.map(|porting| match porting.tenure {
        Some(years) => format!("a policy of another insurer, which ran {years} years"),
        None => "a policy of another insurer".to_owned(),
    });
    Facts::default()
        .text("plan", chosen.plan)
        .text("sum_insured", chosen.sum_insured.grouped())
        .optional("deductible", (chosen.deductible > Rupees::ZERO).then(|| chosen.deductible.grouped()))
        .text("copay_percent", chosen.copay_percent)
        .optional("porting", porting)
        .optional("renews", chosen.renewal.as_ref().map(|renewal| renewal.number.to_string()))
        .optional("covered_since", chosen.renewal.as_ref().map(|renewal| renewal.covered_since))
}

/// Steps of the premium's calculation, by the catalogue version and on the day of the quote. `None` if the
/// insurer set the price.
fn steps(
    proposal: &HealthProposal,
    made: &JourneyProposal,
    variant: &HealthVariant,
) -> Option<Vec<rating::Step>> {
    let here = variant.insurer().connector == Connector::RateTable;
    let priced = made.starts(day_of(made.quoted.at));
    let explained = variant.explain(&made.request_on(priced).filter(|_| here)?, priced);
    let years = proposal.application.tenure;
    explained.tenures.into_iter().find(|tenure| tenure.years == years).map(|tenure| tenure.steps)
}

/// Facts about a health quote: its request, and the person who requested it.
pub(crate) fn quote_facts(quote: &HealthQuote) -> Facts {
    let HealthRequest { lead, user, customer, members, selected_peds, plan, sum_insured, .. } =
        &quote.request;
    let Customer { name, gender, phone, pincode, email } = customer;
    let member = |one: &Member| format!("{}, {} years", one.relation, one.age.as_decimal());
    Facts::default()
        .text("asked_at", quote.created_at)
        .optional("lead_id", lead.as_ref().map(|lead| lead.reveal()))
        .optional("user_id", user.as_ref().map(|user| user.reveal()))
        .optional("name", name.as_ref().map(|name| name.reveal()))
        .optional("gender", gender.as_ref().map(|gender| gender.reveal()))
        .optional("mobile", phone.as_ref().map(|phone| phone.reveal()))
        .optional("email", email.as_ref().map(|email| email.reveal()))
        .text("pincode", pincode.reveal())
        .texts("members", members.iter().map(member).collect())
        .texts("illnesses", selected_peds.clone())
        .text("plan", plan)
        .text("sum_insured", sum_insured)
        .text("plans_offered", quote.offers().count())
}

/// Answers that a customer has given on a journey so far.
pub(crate) fn journey_facts(journey: &Journey, on: Date) -> Facts {
    let answers = &journey.answers;
    let facts = Facts::default().text("opened_at", journey.opened_at).text("seen_at", journey.seen_at);
    let facts = facts.optional("pincode", answers.pincode.as_ref().map(|pincode| pincode.reveal()));
    let Some(form) = &answers.form else { return facts };
    let members = form.members.iter().map(|one| one.name.reveal().to_owned()).collect();
    facts.group("proposer", proposer(&form.proposer, on)).texts("members", members)
}

fn proposer(proposer: &HealthProposer, on: Date) -> Facts {
    let facts = Facts::default().text("name", proposer.name.reveal());
    let facts = born(facts, proposer.born, on)
        .text("mobile", proposer.phone.reveal())
        .optional("email", proposer.email.as_ref().map(Email::reveal))
        .text("address", proposer.address.in_one_line());
    match &proposer.bank {
        Some(account) => facts.group("bank_account", bank(account)),
        None => facts,
    }
}

fn bank(account: &BankAccount) -> Facts {
    let BankAccount { bank_id, account_number, bank_name, branch_id, branch_name, ifsc } = account;
    let line = |line: &Option<PersonalLine>| line.as_ref().map(|line| line.reveal().to_owned());
    Facts::default()
        .optional("bank_id", line(bank_id))
        .optional("account_number", line(account_number))
        .optional("bank_name", line(bank_name))
        .optional("branch_id", line(branch_id))
        .optional("branch_name", line(branch_name))
        .optional("ifsc", ifsc.as_ref().map(Ifsc::reveal))
}

fn member(member: &InsuredMember, catalogue: &Catalogue, on: Date) -> Facts {
    let facts = Facts::default()
        .text("name", member.name.reveal())
        .text("relationship", member.relationship.reveal())
        .text("gender", member.gender.reveal());
    let illnesses = member.illnesses.iter().map(|id| catalogue.illness_name(id.reveal()).to_owned());
    born(facts, member.born, on).texts("illnesses", illnesses.collect())
}

fn nominee(nominee: &HealthNominee) -> Facts {
    Facts::default()
        .text("name", nominee.name.reveal())
        .text("relationship", nominee.relationship.reveal())
        .optional("mobile", nominee.phone.as_ref().map(Mobile::reveal))
}

fn consent(consent: &Consent) -> Facts {
    Facts::default()
        .text("purpose", consent.purpose)
        .text("answer", if consent.given { "agreed" } else { "not agreed" })
        .text("at", consent.at)
        .optional("language", consent.language)
        .optional("text", consent.text.as_deref())
}
