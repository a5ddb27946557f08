//! Reading a product's file: what every line of business says of a product.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::{VariantId, kind};
use domain::proposal::Decision;
use domain::text::FromText;

use super::credit_life;
use super::document::{Document, Section};
use super::ids::Ids;
use super::read;
use super::shelf::Shelf;
use crate::insurer::Insurer;
use crate::line::Line;
use crate::product::{MasterPolicy, Product};
use crate::tax::DatedTax;
use crate::variant::CreditVariant;

/// Days of free look where the product does not say.
const FREE_LOOK_DAYS: u16 = 30;

/// What a product's file gave, as far as it could be read.
#[derive(Default)]
pub(crate) struct ProductRead {
    pub(crate) product: Option<Arc<Product>>,
    pub(crate) credit_variants: Vec<CreditVariant>,
    /// Every variant id that was read, also of variants with faults. `None` when some could not be.
    pub(crate) variant_ids: Option<Vec<VariantId>>,
}

/// What a product's file is read with.
pub(crate) struct ProductContext<'c> {
    pub(crate) shelf: &'c Shelf<'c>,
    pub(crate) ids: &'c Ids,
    pub(crate) taxes: Option<&'c BTreeMap<Line, Arc<DatedTax>>>,
}

/// Reads a product's file. `insurer` is `None` where the insurer's own file has faults.
pub(crate) fn read(path: &str, insurer: Option<Arc<Insurer>>, context: &ProductContext<'_>) -> ProductRead {
    let shelf = context.shelf;
    let document = shelf.take(path).and_then(|content| Document::parse(path, content, shelf.faults));
    let Some(document) = document else {
        shelf.leave_open(path);
        return ProductRead::default();
    };
    let section = document.root(shelf.faults);
    let line = section.required("line", |value| read::word(value, Line::WORDS));
    let line = line.and_then(|line| Line::from_text(line).ok());
    let product = read_product(&section, line, insurer, context.ids).map(Arc::new);
    let mut answer = match line {
        Some(Line::CreditLife) => credit_life::read(&section, product.as_ref(), context),
        // What a product of an unknown line may say is unknown too: one fault tells enough.
        None => {
            shelf.leave_open(path);
            return ProductRead::default();
        }
    };
    section.close();
    answer.product = product;
    answer
}

/// Reads the keys that every product has.
fn read_product(
    section: &Section<'_>,
    line: Option<Line>,
    insurer: Option<Arc<Insurer>>,
    ids: &Ids,
) -> Option<Product> {
    let id = section.required("id", read::id::<kind::Product>);
    if let Some(id) = id {
        ids.take(id, section);
    }
    let name = section.required("name", read::text);
    let uin = section.required("uin", read::text);
    let number = section.required("master_policy_number", read::text);
    let holder = section.required("master_policy_holder", read::text);
    let policy_number_prefix = section.required("policy_number_prefix", read::number_prefix);
    let decision =
        section.or("decision", Decision::Partner.word(), |value| read::word(value, Decision::WORDS));
    let settlement = section.required("settlement", read::text);
    let free_look_days = section
        .or("free_look_days", FREE_LOOK_DAYS, |value| read::whole(value, 1, 90).map(|days| days as u16));
    let exclusions = section.or("exclusions", String::new(), read::text);
    Some(Product {
        id: id?,
        name: name?,
        line: line?,
        uin: uin?,
        insurer: insurer?,
        master_policy: Some(MasterPolicy { number: number?, holder: holder? }),
        policy_number_prefix: policy_number_prefix?,
        decision: Decision::from_text(decision).ok()?,
        settlement: settlement?,
        free_look_days,
        exclusions,
    })
}
