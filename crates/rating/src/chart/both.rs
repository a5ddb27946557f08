//! Prices of ordinary requests under two catalogues.

use std::collections::BTreeMap;

use domain::date::Date;
use domain::id::VariantId;

use super::cells::Cells;
use super::{credit_life, health};
use crate::catalogue::Catalogue;
use crate::fault::FaultLog;
use crate::parse::table::Table;

/// Requests for credit life, as rows of a chart.
const CREDIT_LIFE: &str = "age,gender,cover,loan,term\n\
    35,MALE,1000000,1000000,60\n\
    50,FEMALE,300000,300000,24\n";

/// Requests for health, as rows of a chart.
const HEALTH: &str = "members,pincode,sum_insured\n\
    self:35,560001,500000\n\
    self:42 spouse:40 son:9,560001,1000000\n";

/// An ordinary request to a variant, with its price or refusal under two catalogues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BothPrices {
    /// Name of the variant, its id, and the request as cells of a chart.
    pub request: String,
    pub before: String,
    pub after: String,
}

/// Prices ordinary requests to all variants under two catalogues, on one day. Different prices come first. At
/// most `most`.
pub fn price_both(before: &Catalogue, after: &Catalogue, on: Date, most: usize) -> Vec<BothPrices> {
    let both = [before, after];
    let credit = both.iter().flat_map(|one| one.all_credit_variants()).map(|one| (one.id, &one.name));
    let health = both.iter().flat_map(|one| one.all_health_variants()).map(|one| (one.id, &one.name));
    let lines: [(&str, BTreeMap<VariantId, &String>); 2] =
        [(CREDIT_LIFE, credit.collect()), (HEALTH, health.collect())];
    let mut all = Vec::new();
    for (requests, variants) in &lines {
        let table = Table::parse("requests", requests.as_bytes(), &FaultLog::default());
        let table = table.expect("these requests are a table");
        for row in &table.rows {
            let cells = Cells { table: &table, row };
            for (id, name) in variants {
                let [before, after] = both.map(|catalogue| price(catalogue, *id, &cells, on));
                all.push(BothPrices {
                    request: format!("{name}, {id}, {}", row.cells.join(" ")),
                    before,
                    after,
                });
            }
        }
    }
    all.sort_by_key(|one| one.before == one.after);
    all.truncate(most);
    all
}

/// The total, or the sentence of the refusal.
fn price(catalogue: &Catalogue, id: VariantId, cells: &Cells<'_>, on: Date) -> String {
    let priced = match (catalogue.credit_variant(id), catalogue.health_variant(id)) {
        (Some(variant), _) => credit_life::price(variant, cells, on),
        (None, Some(variant)) => health::price(variant, cells, on),
        (None, None) => return "not sold".to_owned(),
    };
    match priced {
        Ok(Ok(premium)) => premium.total().grouped_with_paise(),
        Ok(Err(refusal)) => refusal.sentence,
        Err(fault) => fault,
    }
}
