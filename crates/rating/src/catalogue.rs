//! The catalogue: what an operator sells, compiled for pricing and never changed.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use domain::date::Date;
use domain::health_quote::PlanType;
use domain::id::{InsurerId, PartnerId, ProductId, VariantId};
use domain::money::TaxRate;
use domain::quote::CatalogueHash;
use domain::ranking::Weights;

use crate::credit_variant::CreditVariant;
use crate::filter_tag::FilterTag;
use crate::health_variant::HealthVariant;
use crate::illness::Illness;
use crate::insurer::Insurer;
use crate::line_of_business::Line;
use crate::product::Product;
use crate::tax::DatedTax;

/// A catalogue that was loaded without a fault. Cheap to share, and never changed: a new version is a new one.
pub struct Catalogue {
    name: String,
    hash: CatalogueHash,
    quote_validity_days: u16,
    taxes: BTreeMap<Line, Arc<DatedTax>>,
    insurers: Vec<Arc<Insurer>>,
    products: Vec<Arc<Product>>,
    credit: Range<CreditVariant>,
    health: Range<HealthVariant>,
    ranking_weights: Weights,
    filter_tags: Vec<FilterTag>,
    illnesses: Arc<[Illness]>,
}

/// What the loader gathers for a catalogue.
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) quote_validity_days: u16,
    pub(crate) taxes: BTreeMap<Line, Arc<DatedTax>>,
    pub(crate) insurers: Vec<Arc<Insurer>>,
    pub(crate) products: Vec<Arc<Product>>,
    pub(crate) credit_variants: Vec<CreditVariant>,
    pub(crate) health_variants: Vec<HealthVariant>,
    pub(crate) ranking_weights: Weights,
    pub(crate) filter_tags: Vec<FilterTag>,
    pub(crate) illnesses: Arc<[Illness]>,
    pub(crate) assortments: BTreeMap<PartnerId, Vec<VariantId>>,
}

impl Catalogue {
    /// The catalogue of parts that have no fault.
    pub(crate) fn of(parts: Parts, hash: CatalogueHash) -> Catalogue {
        Catalogue {
            name: parts.name,
            hash,
            quote_validity_days: parts.quote_validity_days,
            taxes: parts.taxes,
            insurers: parts.insurers,
            products: parts.products,
            credit: Range::of(parts.credit_variants, |variant| variant.id, &parts.assortments),
            health: Range::of(parts.health_variants, |variant| variant.id, &parts.assortments),
            ranking_weights: parts.ranking_weights,
            filter_tags: parts.filter_tags,
            illnesses: parts.illnesses,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 over the files in canonical form ([`crate::Files::canonical`]).
    pub fn hash(&self) -> CatalogueHash {
        self.hash
    }

    /// Days in which a quote can become a proposal (D40).
    pub fn quote_validity_days(&self) -> u16 {
        self.quote_validity_days
    }

    /// The tax of a line of business on a day in Asia/Kolkata (D23). A day before the first row takes the
    /// first. `None` where the catalogue has no product of that line and no rate for it.
    pub fn tax(&self, line: Line, on: Date) -> Option<TaxRate> {
        self.taxes.get(&line).map(|tax| tax.on(on).rate)
    }

    /// Every insurer, in the order of their folders.
    pub fn insurers(&self) -> impl ExactSizeIterator<Item = &Insurer> {
        self.insurers.iter().map(Arc::as_ref)
    }

    /// Every product, in the order of folders and files.
    pub fn products(&self) -> impl ExactSizeIterator<Item = &Product> {
        self.products.iter().map(Arc::as_ref)
    }

    /// Every credit-life variant, in the catalogue's order: folders, files, and within a file as written.
    pub fn all_credit_variants(&self) -> &[CreditVariant] {
        &self.credit.variants
    }

    /// The credit-life variants opened to a partner by its assortment, in the catalogue's order; all of them
    /// where it has none (D22).
    pub fn credit_variants(
        &self,
        partner: PartnerId,
    ) -> impl ExactSizeIterator<Item = &CreditVariant> + Clone {
        self.credit.opened(partner)
    }

    /// A credit-life variant by its id.
    pub fn credit_variant(&self, id: VariantId) -> Option<&CreditVariant> {
        self.credit.find(id)
    }

    /// Every health variant, in the catalogue's order.
    pub fn all_health_variants(&self) -> &[HealthVariant] {
        &self.health.variants
    }

    /// The health variants of a kind of cover that are opened to a partner by its assortment, in the catalogue's
    /// order; all of them where it has none (D22).
    pub fn health_variants(
        &self,
        partner: PartnerId,
        plan: PlanType,
    ) -> impl Iterator<Item = &HealthVariant> {
        self.health.opened(partner).filter(move |variant| variant.plan == plan)
    }

    /// A health variant by its id.
    pub fn health_variant(&self, id: VariantId) -> Option<&HealthVariant> {
        self.health.find(id)
    }

    /// How much each criterion counts in the ranking of health offers (D19). A catalogue without health products
    /// need not say; then all count alike.
    pub fn ranking_weights(&self) -> Weights {
        self.ranking_weights
    }

    /// The tags that customers may filter health plans by, in the catalogue's order.
    pub fn filter_tags(&self) -> &[FilterTag] {
        &self.filter_tags
    }

    /// The pre-existing diseases that the catalogue knows, in its order.
    pub fn illnesses(&self) -> &[Illness] {
        &self.illnesses
    }

    /// What customers call an illness, in English; its id where the catalogue does not know it.
    pub fn illness_name<'c>(&'c self, id: &'c str) -> &'c str {
        self.illnesses.iter().find(|known| known.id == id).map_or(id, |known| known.name.english())
    }

    /// An insurer by its id.
    pub fn insurer(&self, id: InsurerId) -> Option<&Insurer> {
        self.insurers().find(|insurer| insurer.id == id)
    }

    /// A product by its id.
    pub fn product(&self, id: ProductId) -> Option<&Product> {
        self.products().find(|product| product.id == id)
    }
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Catalogue({:?}, {})", self.name, self.hash)
    }
}

/// The variants of one line of business, and which of them each partner sells.
struct Range<V> {
    variants: Vec<V>,
    by_id: HashMap<VariantId, usize>,
    /// Places in `variants`, ascending, by partner.
    by_partner: HashMap<PartnerId, Vec<usize>>,
    /// Every place, for partners without an assortment.
    all: Vec<usize>,
}

impl<V> Range<V> {
    fn of(
        variants: Vec<V>,
        id: impl Fn(&V) -> VariantId,
        assortments: &BTreeMap<PartnerId, Vec<VariantId>>,
    ) -> Self {
        let places = |named: &Vec<VariantId>| {
            let opened = variants.iter().enumerate().filter(|(_, variant)| named.contains(&id(variant)));
            opened.map(|(place, _)| place).collect()
        };
        Range {
            by_id: variants.iter().enumerate().map(|(place, variant)| (id(variant), place)).collect(),
            by_partner: assortments.iter().map(|(of, named)| (*of, places(named))).collect(),
            all: (0..variants.len()).collect(),
            variants,
        }
    }

    /// What a partner sells.
    fn opened(&self, partner: PartnerId) -> impl ExactSizeIterator<Item = &V> + Clone {
        let places = self.by_partner.get(&partner).unwrap_or(&self.all);
        places.iter().map(|place| &self.variants[*place])
    }

    fn find(&self, id: VariantId) -> Option<&V> {
        self.by_id.get(&id).map(|place| &self.variants[*place])
    }
}
