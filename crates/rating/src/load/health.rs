//! Reading a health product: eligibility, illnesses, tenures, and its variants with what they cost.

use std::cell::RefCell;
use std::sync::Arc;

use domain::health_quote::PlanType;
use domain::id::{VariantId, kind};
use domain::money::Rupees;
use toml::de::DeValue;

use super::health_limits::HealthLimitsRead;
use super::illness_terms;
use super::parsed_product::{ParentRead, ProductRead};
use super::price::{self, OwnStep};
use super::product_context::ProductContext;
use super::tenures;
use crate::adjustment::Adjustments;
use crate::adjustment_kind::AdjustmentKind;
use crate::health_variant::{Copay, HealthPricing, HealthVariant};
use crate::illness_terms::IllnessTerms;
use crate::line_of_business::Line;
use crate::method::health::{Method, MethodContext, Promise, Sheets};
use crate::parse::document::Section;
use crate::parse::parsed::Said;
use crate::parse::texts;
use crate::parse::values;
use crate::product::Product;
use crate::tax::DatedTax;
use crate::tenure::Tenure;
use crate::zones::Zones;

/// The longest wait for pre-existing diseases, in months.
const LONGEST_WAIT: u32 = 120;
/// The highest part of a claim that a customer may bear, in percent.
const HIGHEST_COPAY: u32 = 90;
/// The steps that only health has.
const OWN_STEPS: &[OwnStep; 2] =
    &[("illness_loading", AdjustmentKind::IllnessLoading), ("tenure", AdjustmentKind::Tenure)];
/// The highest sum insured or deductible, in rupees: a hundred crore.
const HIGHEST_SUM: u32 = 1_000_000_000;

/// What holds for every variant of a product.
struct Common<'c> {
    product: Option<&'c Arc<Product>>,
    plan: Option<PlanType>,
    zones: Option<Arc<Zones>>,
    limits: HealthLimitsRead,
    illnesses: Option<Arc<IllnessTerms>>,
    tenures: Said<Vec<Tenure>>,
    tax: Option<Arc<DatedTax>>,
    sheets: RefCell<Sheets>,
    context: &'c ProductContext<'c>,
}

/// Reads what holds for the whole product, and its `[[variant]]` sections.
pub(crate) fn read(
    root: &Section<'_>,
    product: Option<&Arc<Product>>,
    context: &ProductContext<'_>,
) -> ProductRead {
    let plan = root.required("plan", |value| values::word(value, &["base", "super-top-up"]));
    let zones = context.zones(root.file());
    let eligibility = root.section("eligibility");
    let limits = HealthLimitsRead::of(eligibility.as_ref(), zones.as_deref());
    if let Some(eligibility) = eligibility {
        eligibility.close();
    }
    let common = Common {
        product,
        plan: plan.map(|plan| if plan == "base" { PlanType::Base } else { PlanType::SuperTopUp }),
        zones,
        limits,
        illnesses: illness_terms::read(root, context.vocabulary, context.shelf).map(Arc::new),
        tenures: tenures::read(root),
        tax: context.taxes.and_then(|taxes| taxes.get(&Line::Health)).cloned(),
        sheets: RefCell::default(),
        context,
    };
    let variants = root.sections("variant");
    if variants.is_empty() {
        root.fault("variant", "The product has no variant: at least one [[variant]] is needed.");
    }
    let mut answer = ProductRead { variant_ids: Some(Vec::new()), ..ProductRead::default() };
    for section in variants {
        let id = section.required("id", values::id::<kind::Variant>);
        match (id, &mut answer.variant_ids) {
            (Some(id), Some(ids)) => ids.push(id),
            _ => answer.variant_ids = None,
        }
        if let Some(id) = id {
            context.ids.take(id, &section);
        }
        let parent = section.optional("parent", values::id::<kind::Variant>);
        if let (Some(of), Some(parent)) = (id, parent) {
            let line = section.line_of("parent").unwrap_or(1);
            answer.parents.push(ParentRead { of, parent, line });
        }
        answer.health_variants.extend(common.read_variant(section, id, parent));
    }
    answer
}

impl Common<'_> {
    /// Reads one variant.
    fn read_variant(
        &self,
        section: Section<'_>,
        id: Option<VariantId>,
        parent: Option<VariantId>,
    ) -> Option<HealthVariant> {
        let name = section.required("name", values::text);
        let description = texts::required(&section, "description");
        let online = section.or("online", true, values::flag);
        let waiting_months =
            section.required("waiting_months", |value| values::whole(value, 0, LONGEST_WAIT));
        let filter_tags = self.read_filter_tags(&section);
        let copay = read_copay(&section);
        let sums_insured = ascending(section.required_distinct("sum_insured", |value| sum(value, 1)));
        let deductibles = self.read_deductibles(&section);
        let own = section.section("eligibility");
        let limits = HealthLimitsRead::of(own.as_ref(), self.zones.as_deref()).or(self.limits.clone());
        if let Some(own) = own {
            own.close();
        }
        let limits = limits.finish(self.zones.clone(), &section);
        let tenures = tenures::read(&section).or(self.tenures.clone()).or_else(|| vec![Tenure::ONE_YEAR]);
        let promise = match (&limits, &sums_insured, &deductibles, self.plan) {
            (Some(limits), Some(sums_insured), Some(deductibles), Some(plan)) => {
                Some(Promise { plan, limits, sums_insured, deductibles })
            }
            _ => None,
        };
        let pricing = match section.section("price") {
            Some(price) => self.read_price(price, promise.as_ref(), tenures).map(Some),
            None => price::judge_unpriced(&section, self.context).then_some(None),
        };
        section.close();
        Some(HealthVariant {
            id: id?,
            name: name?,
            description: description?,
            product: self.product?.clone(),
            plan: self.plan?,
            parent,
            online,
            filter_tags: filter_tags?,
            waiting_months: waiting_months? as u16,
            limits: limits?,
            sums_insured: sums_insured?,
            deductibles: deductibles?,
            copay,
            illnesses: self.illnesses.clone()?,
            pricing: pricing?,
        })
    }

    /// Reads the tags, which `filter_tags.toml` must have.
    fn read_filter_tags(&self, section: &Section<'_>) -> Option<Vec<String>> {
        let known = self.context.vocabulary.filter_tags.as_ref();
        let tags = section.distinct("filter_tags", |value| {
            let tag = values::text(value)?;
            let is_known = known.is_none_or(|known| known.iter().any(|known| known.id == tag));
            if is_known {
                Ok(tag)
            } else {
                Err(format!("names \"{tag}\", which filter_tags.toml does not have"))
            }
        });
        if section.has("filter_tags") { tags } else { Some(Vec::new()) }
    }

    /// Reads what may be chosen to be borne before the cover begins: of a base plan nothing must be a choice.
    fn read_deductibles(&self, section: &Section<'_>) -> Option<Vec<Rupees>> {
        section.know(&["deductibles"]);
        let plan = self.plan?;
        if plan == PlanType::Base && !section.has("deductibles") {
            return Some(vec![Rupees::ZERO]);
        }
        let deductibles = ascending(section.required_distinct("deductibles", |value| sum(value, 0)))?;
        let has_none = deductibles.contains(&Rupees::ZERO);
        if plan == PlanType::Base && !has_none {
            section.fault("deductibles", "`deductibles` of a base plan must have 0 among them.");
            return None;
        }
        if plan == PlanType::SuperTopUp && has_none {
            section.fault("deductibles", "`deductibles` of a super top-up must be above 0.");
            return None;
        }
        Some(deductibles)
    }

    /// Reads a variant's `price` section.
    fn read_price(
        &self,
        section: Section<'_>,
        promise: Option<&Promise<'_>>,
        tenures: Option<Vec<Tenure>>,
    ) -> Option<HealthPricing> {
        let shelf = self.context.shelf;
        let sheets = MethodContext { shelf, sheets: &self.sheets };
        let method = promise.and_then(|promise| Method::read(&section, promise, &sheets));
        let taxation = price::read_taxation(&section, self.tax.clone());
        let adjustments = price::read_adjustments(&section, OWN_STEPS);
        if let (Some(adjustments), Some(tenures)) = (&adjustments, &tenures) {
            self.judge_steps(&section, adjustments, tenures);
        }
        if method.is_none() {
            // Which keys and sheets belong here the method says: where it has faults, those say enough.
            shelf.leave_open(section.file());
            section.know(Method::KEYS);
        }
        section.close();
        Some(HealthPricing {
            method: method?,
            adjustments: adjustments?,
            tenures: tenures?,
            taxation: taxation?,
        })
    }

    /// Notes steps of health that are missing, too many, or for nothing.
    fn judge_steps(&self, price: &Section<'_>, adjustments: &Adjustments, tenures: &[Tenure]) {
        let [illness_loading, tenure] = OWN_STEPS;
        match self.illnesses.as_ref().map(|illnesses| illnesses.has_loadings()) {
            Some(true) => {
                judge_step(price, adjustments, illness_loading, true, "the product loads illnesses")
            }
            Some(false) => {
                judge_step(price, adjustments, illness_loading, false, "the product loads no illness")
            }
            None => {}
        }
        if tenures == [Tenure::ONE_YEAR] {
            let why = "the variant is sold for one year at its full price alone";
            judge_step(price, adjustments, tenure, false, why);
        } else {
            judge_step(price, adjustments, tenure, true, "the variant has tenures to price");
        }
    }
}

/// Notes that a step does not stand there once where it is wanted, or stands there where it is not.
fn judge_step(price: &Section<'_>, adjustments: &Adjustments, step: &OwnStep, wanted: bool, why: &str) {
    let (key, kind) = step;
    let fault = |what: String| price.fault("steps", format!("The step {{ {key} = true }} {what}."));
    match (adjustments.list.iter().filter(|step| step.kind == *kind).count(), wanted) {
        (1, true) | (0, false) => {}
        (0, true) => fault(format!("is missing: {why}")),
        (_, true) => fault("must stand there once".to_owned()),
        (_, false) => fault(format!("is for nothing: {why}")),
    }
}

/// Reads which part of every claim the customer bears.
fn read_copay(section: &Section<'_>) -> Copay {
    let percent = section.or("copay_percent", 0, |value| values::whole(value, 0, HIGHEST_COPAY));
    let from_age = section.optional("copay_from_age", |value| values::whole(value, 1, 120));
    if section.has("copay_from_age") && !section.has("copay_percent") {
        section.fault("copay_from_age", "`copay_from_age` needs a `copay_percent`.");
    }
    Copay { percent: percent as u8, from_age: from_age.map(|age| age as u16) }
}

/// A sum of whole rupees.
fn sum(value: &DeValue<'_>, least: u32) -> Result<Rupees, values::Refusal> {
    values::whole(value, least, HIGHEST_SUM).map(|rupees| Rupees::whole(rupees.into()))
}

/// Amounts in rising order, in which they are looked for and shown.
fn ascending(amounts: Option<Vec<Rupees>>) -> Option<Vec<Rupees>> {
    amounts.map(|mut amounts| {
        amounts.sort_unstable();
        amounts
    })
}
