//! What the store has about a person, for their requests under the DPDP Act.

use std::path::{Path, PathBuf};

use axum::body::Body;
use clap::Args;
use domain::identifier::{Identifier, IdentifierKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::person::PersonRecords;
use utoipa::ToSchema;
use web::api::shown;

use crate::act::{About, Act, Needed, On, Result, Role, post, verbs};
use crate::answer::Answer;
use crate::arguments::only_one;
use crate::claim::ShowClaim;
use crate::policy::known_as;
use crate::proposal::ShowProposal;
use crate::record::for_operator;

verbs! {
    /// Verbs of `covernote person`
    PersonVerb {
        Find(FindPerson),
        Export(ExportPerson),
    }
}

/// By what a person is known.
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[group(required = true, multiple = false)]
pub(crate) struct KnownBy {
    /// Mobile number
    #[arg(long)]
    mobile: Option<String>,
    /// E-mail address
    #[arg(long)]
    email: Option<String>,
    /// Permanent account number
    #[arg(long)]
    pan: Option<String>,
    /// The partner's reference of a sale, such as a loan account
    #[arg(long)]
    reference: Option<String>,
    /// The partner's id of a lead
    #[arg(long)]
    lead_id: Option<String>,
    /// The partner's id of an end user
    #[arg(long)]
    user_id: Option<String>,
}

impl KnownBy {
    fn identifier(&self) -> Result<Identifier> {
        let (kind, value) = only_one([
            ("mobile", IdentifierKind::Mobile, &self.mobile),
            ("email", IdentifierKind::Email, &self.email),
            ("pan", IdentifierKind::Pan, &self.pan),
            ("reference", IdentifierKind::Reference, &self.reference),
            ("lead_id", IdentifierKind::Lead, &self.lead_id),
            ("user_id", IdentifierKind::User, &self.user_id),
        ])?;
        known_as(kind, value)
    }
}

/// Find the records about a person: their ids alone
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct FindPerson {
    /// Who
    #[command(flatten)]
    #[serde(flatten)]
    known_by: KnownBy,
}

impl Act for FindPerson {
    const ABOUT: About = post("person.find", "/persons/search", &[Role::Support, Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let records = on.service.persons.records_of(&self.known_by.identifier()?).await?;
        let all = ids(&records);
        let row = |(kind, partner, id): &(&str, String, String)| {
            vec![(*kind).to_owned(), id.clone(), partner.clone()]
        };
        let rows: Vec<Vec<String>> = all.iter().map(row).collect();
        let one = |(kind, partner, id): &(&str, String, String)| json!({ "kind": kind, "id": id, "partner_id": partner });
        let json: Vec<Value> = all.iter().map(one).collect();
        Ok(Answer::of(json!({ "records": json })).table(&["record", "id", "partner_id"], rows))
    }
}

/// Write everything about a person into a JSON file: proposals, policies and claims in full, and the ids of their quotes
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct ExportPerson {
    /// Who
    #[command(flatten)]
    #[serde(flatten)]
    known_by: KnownBy,
    /// Why you need it, such as their request: it is kept in the audit trail
    #[arg(long)]
    reason: String,
    /// The file, which must not be there yet
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    #[schema(ignore)]
    out: PathBuf,
}

impl Act for ExportPerson {
    const ABOUT: About = post("person.export", "/persons/export", &[Role::Compliance]).giving_file();

    fn out(&self) -> Option<&Path> {
        Some(&self.out)
    }

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let records = on.service.persons.records_of(&self.known_by.identifier()?).await?;
        let PersonRecords { quotes, proposals, policies, claims } = &records;
        Ok(Some(Needed::new(format!(
            "everything about a person: {} quotes, {} proposals, {} policies, {} claims",
            quotes.len(),
            proposals.len(),
            policies.len(),
            claims.len()
        ))))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let records = on.service.persons.records_of(&self.known_by.identifier()?).await?;
        let (mut proposals, mut policies, mut claims) = (Vec::new(), Vec::new(), Vec::new());
        for (_, id) in &records.proposals {
            proposals.push(ShowProposal::in_full(id).run(on).await?.json);
        }
        for (of, id) in &records.policies {
            let view = on.service.policies.view(*of, *id).await?;
            policies.push(for_operator(shown::policy_view(&view), *of, &[]));
        }
        for (_, id) in &records.claims {
            claims.push(ShowClaim::in_full(id).run(on).await?.json);
        }
        let quotes = records.quotes.iter();
        let quotes: Vec<Value> = quotes
            .map(|(of, id)| json!({ "quote_id": id.to_string(), "partner_id": of.to_string() }))
            .collect();
        let all = json!({
            "made_at": on.service.team.now().to_string(), "quotes": quotes, "proposals": proposals, "policies": policies,
            "claims": claims,
        });
        let bytes = format!("{all:#}\n").into_bytes();
        Ok(Answer::file("application/json", Some(bytes.len() as u64), Body::from(bytes)))
    }
}

/// The records as kind, partner and id.
fn ids(records: &PersonRecords) -> Vec<(&'static str, String, String)> {
    let PersonRecords { quotes, proposals, policies, claims } = records;
    let mut all = Vec::new();
    all.extend(quotes.iter().map(|(of, id)| ("quote", of.to_string(), id.to_string())));
    all.extend(proposals.iter().map(|(of, id)| ("proposal", of.to_string(), id.to_string())));
    all.extend(policies.iter().map(|(of, id)| ("policy", of.to_string(), id.to_string())));
    all.extend(claims.iter().map(|(of, id)| ("claim", of.to_string(), id.to_string())));
    all
}
