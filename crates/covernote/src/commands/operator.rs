//! `covernote operator`: the company that runs this service and sells the insurance, and its team.

use domain::operator::Operator;
use serde_json::{Value, json};

use super::{operate, settings};
use crate::cli::{Noun, OperatorVerb};
use crate::failure::{Failure, Result};
use crate::wiring::operator;
use crate::{operator_file, output};

pub(super) fn run(Noun { verb, printing, flags }: Noun<OperatorVerb>) -> Result<()> {
    match verb {
        OperatorVerb::Team(verb) => operate::run(Noun { verb, printing, flags }),
        OperatorVerb::Example => {
            output::data(operator_file::EXAMPLE.trim_end());
            Ok(())
        }
        OperatorVerb::Show => {
            let settings = settings(&flags)?;
            let found = operator(&settings)?.ok_or_else(|| {
                let file = settings.operator_file();
                Failure::Configuration(format!(
                    "operator: there is no {}; 'covernote operator example' prints an example",
                    file.display()
                ))
            })?;
            if printing.json {
                output::json(&to_json(&found))
            } else {
                output::data(&in_prose(&found))
            }
            Ok(())
        }
    }
}

fn in_prose(operator: &Operator) -> String {
    [
        format!("name               {}", operator.name.english()),
        format!("kind               {}", operator.kind),
        format!("licence            {} until {}", operator.licence_number, operator.licence_until),
        format!("address            {}", operator.address.english()),
        format!("contact            {}", operator.contact),
        format!("grievance officer  {}", operator.grievance_officer.english()),
        format!("privacy notice     {}", operator.privacy_notice),
        format!("terms              {}", operator.terms),
        format!("logo               {}", operator.logo.as_ref().map_or("none", |logo| logo.media_type)),
    ]
    .join("\n")
}

fn to_json(operator: &Operator) -> Value {
    json!({
        "name": operator.name.english(),
        "kind": operator.kind.word(),
        "licence_number": operator.licence_number,
        "licence_until": operator.licence_until.to_string(),
        "address": operator.address.english(),
        "contact": operator.contact,
        "grievance_officer": operator.grievance_officer.english(),
        "privacy_notice": operator.privacy_notice,
        "terms": operator.terms,
        "logo": operator.logo.as_ref().map(|logo| logo.media_type),
    })
}
