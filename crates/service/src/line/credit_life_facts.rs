//! Facts about a credit-life proposal for the person who decides it.

use domain::context::ContextEntry;
use domain::credit_life::{CreditApplication, EmbeddedProposal};
use domain::date::{Date, day_of};
use domain::person::{Address, Appointee, Document, Income, Nominee, Person, PersonalLine, Phone};
use rating::{Connector, CreditVariant};

use super::facts::{born, price, product};
use crate::line::person::Facts;

/// Facts of a proposal. Ages and cover are computed for a policy that is issued on the day `on`.
pub(super) fn facts(proposal: &EmbeddedProposal, variant: &CreditVariant, on: Date) -> Facts {
    let application = &proposal.application;
    let CreditApplication { quoted, request, .. } = application;
    let sold = application.sold();
    let starts = sold.starts(on);
    let quoted_start = quoted.request.starts(day_of(quoted.at));
    let explained = match variant.insurer().connector {
        Connector::RateTable => Some(variant.explain(&quoted.request, quoted_start).steps),
        Connector::Http(_) => None,
    };
    let period = application.period(on);
    let cover = Facts::default()
        .text("cover_amount", sold.cover.amount().grouped())
        .text("term_months", sold.term.as_months())
        .text("starts", starts)
        .optional("ends", period.map(|period| period.ends));
    let loan = Facts::default()
        .optional("loan_amount", sold.context.loan_amount().map(domain::money::Rupees::grouped))
        .optional("loan_tenure_months", sold.context.loan_tenure())
        .optional("disbursement_date", sold.context.disbursement_date());
    let asked = Facts::default().text("at", quoted.at).text("gender", quoted.request.gender);
    Facts::default()
        .group("product", product(&variant.product, &variant.name))
        .group("cover", cover)
        .group("loan", loan)
        .group("quoted", born(asked, quoted.request.born, quoted_start))
        .group("proposer", person(&request.proposer, starts))
        .list("insured_members", request.insured_members.iter().map(|member| person(member, starts)))
        .list("nominees", request.nominees.iter().map(|one| nominee(one, starts)))
        .list("context_data", request.context.entries().iter().map(entry))
        .list("context_data_of_quote", quoted.request.context.entries().iter().map(entry))
        .group("price", price(proposal.premium, explained.as_deref()))
}

fn person(person: &Person, on: Date) -> Facts {
    let facts = Facts::default().text("name", person.name.full().reveal());
    born(facts, person.born, on)
        .text("gender", person.gender)
        .text("mobile", phone(&person.phone))
        .text("email", person.email.reveal())
        .text("address", address(&person.address))
        .text("nationality", person.nationality)
        .text("marital_status", person.marital_status)
        .optional("annual_income", person.annual_income.map(Income::reveal).map(|income| income.grouped()))
        .text("occupation", person.occupation)
        .optional("organization", person.organization)
        .text("education", person.education)
        .optional("employer", person.employer.as_ref().map(PersonalLine::reveal))
        .texts("documents", documents(&person.documents))
}

fn nominee(nominee: &Nominee, on: Date) -> Facts {
    let facts = Facts::default()
        .text("name", nominee.name.full().reveal())
        .text("relationship", nominee.relationship)
        .text("percentage_sharing", nominee.share.as_percent());
    let facts = born(facts, nominee.born, on)
        .optional("mobile", nominee.phone.as_ref().map(phone))
        .text("address", address(&nominee.address))
        .texts("documents", documents(&nominee.documents));
    match &nominee.appointee {
        Some(one) => facts.group("appointee", appointee(one, on)),
        None => facts,
    }
}

fn appointee(appointee: &Appointee, on: Date) -> Facts {
    let facts = Facts::default()
        .text("name", appointee.name.full().reveal())
        .text("relationship_to_nominee", appointee.relationship);
    born(facts, appointee.born, on)
        .optional("mobile", appointee.phone.as_ref().map(phone))
        .text("address", address(&appointee.address))
        .texts("documents", documents(&appointee.documents))
}

fn phone(phone: &Phone) -> String {
    format!("{} {}", phone.country_code.reveal(), phone.mobile.reveal())
}

fn documents(documents: &[Document]) -> Vec<String> {
    documents.iter().map(|document| format!("{} {}", document.kind(), document.reveal())).collect()
}

fn address(address: &Address) -> String {
    let Address { line_1, line_2, line_3, city, state, country, pincode } = address;
    let lines = [Some(line_1), Some(line_2), line_3.as_ref(), Some(city), Some(state), Some(country)];
    let lines: Vec<&str> = lines.into_iter().flatten().map(PersonalLine::reveal).collect();
    format!("{} {}", lines.join(", "), pincode.reveal())
}

fn entry(entry: &ContextEntry) -> Facts {
    Facts::default().text("key", entry.key()).texts("values", entry.reveal().to_vec())
}
