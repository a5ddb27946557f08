//! Parses `bordereaux.toml`: the columns of the insurers' bordereaux.

use std::collections::BTreeSet;

use domain::id::{InsurerId, kind};
use domain::statement::{ClaimColumn, PremiumColumn, StatementKind};
use domain::text::FromText;
use toml::de::DeValue;

use crate::bordereau::{Bordereaux, Column, Layout};
use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::values;

pub(crate) const FILE: &str = "bordereaux.toml";

/// Layouts, and the insurers that they name with line numbers.
#[derive(Debug, Default)]
pub(crate) struct BordereauxFile {
    pub(crate) bordereaux: Bordereaux,
    named: Vec<(InsurerId, Option<usize>)>,
}

impl BordereauxFile {
    /// Reports insurers that the file names but the catalogue lacks. `known` must have all insurers of the
    /// catalogue.
    pub(crate) fn check(&self, known: &BTreeSet<InsurerId>, sources: &SourceFiles<'_>) {
        for (insurer, line) in self.named.iter().filter(|(insurer, _)| !known.contains(insurer)) {
            sources.faults.report(FILE, *line, format!("There is no insurer {insurer}."));
        }
    }
}

/// Parses `bordereaux.toml`. If it is missing, bordereaux have every column under the column's own name.
pub(crate) fn parse(sources: &SourceFiles<'_>) -> BordereauxFile {
    let mut file = BordereauxFile::default();
    let Some(document) =
        sources.read(FILE).and_then(|content| Document::parse(FILE, content, sources.faults))
    else {
        return file;
    };
    let root = document.root(sources.faults);
    for section in root.sections("bordereau") {
        const KINDS: &[&str] = &[StatementKind::Premium.word(), StatementKind::Claims.word()];
        let kind = section.required("kind", |value| values::word(value, KINDS));
        let insurers = section.distinct("insurers", values::id::<kind::Insurer>);
        let is_for_all = !section.has("insurers");
        file.named.extend(insurers.iter().flatten().map(|insurer| (*insurer, section.line_of("insurers"))));
        let is_claims = kind == Some(StatementKind::Claims.word());
        if is_claims {
            let columns = parse_columns::<ClaimColumn>(&section);
            add(&mut file.bordereaux.claims, &section, insurers, is_for_all, columns);
        } else {
            let columns = parse_columns::<PremiumColumn>(&section);
            let lacks_row_id = |columns: &Vec<Column<PremiumColumn>>| {
                columns.iter().all(|(_, column)| *column != PremiumColumn::RowId)
            };
            if columns.as_ref().is_some_and(lacks_row_id) {
                section.report(
                    "columns",
                    "`columns` must have `row_id`, because the insurer's answer names rows by their `row_id`.",
                );
            }
            add(&mut file.bordereaux.premium, &section, insurers, is_for_all, columns);
        }
        section.close();
    }
    root.close();
    file
}

fn add<C>(
    to: &mut Vec<Layout<C>>,
    section: &Section<'_>,
    insurers: Option<Vec<InsurerId>>,
    is_for_all: bool,
    columns: Option<Vec<Column<C>>>,
) {
    let twice = to.iter().any(|other| match (&other.insurers, &insurers) {
        (Some(one), Some(other)) => one.iter().any(|insurer| other.contains(insurer)),
        (None, None) => is_for_all,
        _ => false,
    });
    if twice {
        section.report("insurers", "Another [[bordereau]] of this kind already applies to these insurers.");
    }
    if insurers.is_some() || is_for_all {
        to.extend(columns.map(|columns| Layout { insurers, columns }));
    }
}

/// Parses `columns`. Each item is a pair of header and column, or one name that is used for both.
fn parse_columns<C: FromText + PartialEq>(section: &Section<'_>) -> Option<Vec<Column<C>>> {
    let columns = section.required_distinct("columns", |value| {
        let (name, word) = match value {
            DeValue::Array(pair) if pair.len() == 2 => {
                (values::text(pair[0].get_ref())?, values::text(pair[1].get_ref())?)
            }
            DeValue::Array(_) => {
                return Err("must be a list of columns, or of pairs of a heading and a column".to_owned());
            }
            one => (values::text(one)?, values::text(one)?),
        };
        let wanted =
            || format!("names {word:?}, which is not a column: docs/statements.md lists the columns");
        C::from_text(&word).map(|column| (name, column)).map_err(|_| wanted())
    })?;
    let names: BTreeSet<&String> = columns.iter().map(|(name, _)| name).collect();
    if names.len() < columns.len() {
        section.report("columns", "`columns` must not have the same name twice.");
    }
    Some(columns)
}
