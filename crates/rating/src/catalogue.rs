//! The catalogue: products, rates, taxes, compiled for pricing.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use domain::date::Date;
use domain::health_quote::PlanType;
use domain::id::{InsurerId, PartnerId, ProductId, VariantId};
use domain::money::TaxRate;
use domain::quote::CatalogueHash;
use domain::ranking::Weights;

use crate::bordereau::Bordereaux;
use crate::cancellation::CancellationRules;
use crate::commission::CommissionTerms;
use crate::complaints::ComplaintRules;
use crate::credit_variant::CreditVariant;
use crate::filter_tag::FilterTag;
use crate::health_variant::HealthVariant;
use crate::illness::Illness;
use crate::insurer::Insurer;
use crate::product::Product;
use crate::tax::DatedTax;
use crate::tax_class::TaxClass;

/// Catalogue that was loaded without faults. A value never changes: each catalogue version is a new value.
pub struct Catalogue {
    name: String,
    hash: CatalogueHash,
    quote_validity_days: u16,
    taxes: BTreeMap<TaxClass, Arc<DatedTax>>,
    insurers: Vec<Arc<Insurer>>,
    products: Vec<Arc<Product>>,
    credit: VariantIndex<CreditVariant>,
    health: VariantIndex<HealthVariant>,
    ranking_weights: Weights,
    filter_tags: Vec<FilterTag>,
    illnesses: Arc<[Illness]>,
    cancellation_rules: Vec<Arc<CancellationRules>>,
    commission: CommissionTerms,
    bordereaux: Bordereaux,
    complaints: Option<ComplaintRules>,
}

/// Parts from which the loader builds a [`Catalogue`].
pub(crate) struct CatalogueParts {
    pub(crate) name: String,
    pub(crate) quote_validity_days: u16,
    pub(crate) taxes: BTreeMap<TaxClass, Arc<DatedTax>>,
    pub(crate) insurers: Vec<Arc<Insurer>>,
    pub(crate) products: Vec<Arc<Product>>,
    pub(crate) credit_variants: Vec<CreditVariant>,
    pub(crate) health_variants: Vec<HealthVariant>,
    pub(crate) ranking_weights: Weights,
    pub(crate) filter_tags: Vec<FilterTag>,
    pub(crate) illnesses: Arc<[Illness]>,
    pub(crate) cancellation_rules: Vec<Arc<CancellationRules>>,
    pub(crate) commission: CommissionTerms,
    pub(crate) bordereaux: Bordereaux,
    pub(crate) complaints: Option<ComplaintRules>,
    pub(crate) assortments: BTreeMap<PartnerId, Vec<VariantId>>,
}

impl Catalogue {
    /// Builds a catalogue from parts that have no faults.
    pub(crate) fn of(parts: CatalogueParts, hash: CatalogueHash) -> Catalogue {
        Catalogue {
            name: parts.name,
            hash,
            quote_validity_days: parts.quote_validity_days,
            taxes: parts.taxes,
            insurers: parts.insurers,
            products: parts.products,
            credit: VariantIndex::of(parts.credit_variants, |variant| variant.id, &parts.assortments),
            health: VariantIndex::of(parts.health_variants, |variant| variant.id, &parts.assortments),
            ranking_weights: parts.ranking_weights,
            filter_tags: parts.filter_tags,
            illnesses: parts.illnesses,
            cancellation_rules: parts.cancellation_rules,
            commission: parts.commission,
            bordereaux: parts.bordereaux,
            complaints: parts.complaints,
        }
    }

    /// Empty catalogue, for a process that neither prices nor sells.
    pub fn empty() -> Catalogue {
        let parts = CatalogueParts {
            name: String::new(),
            quote_validity_days: 0,
            taxes: BTreeMap::new(),
            insurers: Vec::new(),
            products: Vec::new(),
            credit_variants: Vec::new(),
            health_variants: Vec::new(),
            ranking_weights: Weights::of([1; 5]).expect("above zero"),
            filter_tags: Vec::new(),
            illnesses: Arc::default(),
            cancellation_rules: Vec::new(),
            commission: CommissionTerms::default(),
            bordereaux: Bordereaux::default(),
            complaints: None,
            assortments: BTreeMap::new(),
        };
        Catalogue::of(parts, CatalogueHash([0; 32]))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 over the catalogue's files in canonical form ([`crate::Files::canonical`]).
    pub fn hash(&self) -> CatalogueHash {
        self.hash
    }

    /// Number of days for which a quote is valid: a proposal can be made from it (D40).
    pub fn quote_validity_days(&self) -> u16 {
        self.quote_validity_days
    }

    /// Tax rate of a class of cover on the day in Asia/Kolkata on which cover starts (D23, D70). A day before
    /// the first rate gets the first rate. `None` if the catalogue has no rate for the class; then it has no
    /// products of this class.
    pub fn tax(&self, class: TaxClass, starts: Date) -> Option<TaxRate> {
        self.taxes.get(&class).map(|tax| tax.on(starts).rate)
    }

    /// All insurers, in the order of their folders.
    pub fn insurers(&self) -> impl ExactSizeIterator<Item = &Insurer> {
        self.insurers.iter().map(Arc::as_ref)
    }

    /// All products, in the order of the catalogue's folders and files.
    pub fn products(&self) -> impl ExactSizeIterator<Item = &Product> {
        self.products.iter().map(Arc::as_ref)
    }

    /// All credit-life variants, in the catalogue's order: folders, files, then position in the file.
    pub fn all_credit_variants(&self) -> &[CreditVariant] {
        &self.credit.variants
    }

    /// Credit-life variants in the partner's assortment, in the catalogue's order. All variants if the
    /// partner has no assortment (D22).
    pub fn credit_variants(
        &self,
        partner: PartnerId,
    ) -> impl ExactSizeIterator<Item = &CreditVariant> + Clone {
        self.credit.opened(partner)
    }

    pub fn credit_variant(&self, id: VariantId) -> Option<&CreditVariant> {
        self.credit.find(id)
    }

    /// All health variants, in the catalogue's order.
    pub fn all_health_variants(&self) -> &[HealthVariant] {
        &self.health.variants
    }

    /// Health variants of one plan type in the partner's assortment, in the catalogue's order. All variants
    /// of this type if the partner has no assortment (D22).
    pub fn health_variants(
        &self,
        partner: PartnerId,
        plan: PlanType,
    ) -> impl Iterator<Item = &HealthVariant> {
        self.health.opened(partner).filter(move |variant| variant.plan == plan)
    }

    pub fn health_variant(&self, id: VariantId) -> Option<&HealthVariant> {
        self.health.find(id)
    }

    /// Weight of each criterion in the ranking of health offers (D19). Without weights in the catalogue, all
    /// are equal. Only a catalogue without health products may omit them.
    pub fn ranking_weights(&self) -> Weights {
        self.ranking_weights
    }

    /// Tags by which customers can filter health plans, in the catalogue's order.
    pub fn filter_tags(&self) -> &[FilterTag] {
        &self.filter_tags
    }

    /// Pre-existing diseases, in the catalogue's order.
    pub fn illnesses(&self) -> &[Illness] {
        &self.illnesses
    }

    pub fn cancellation_rules(&self, id: &str) -> Option<&CancellationRules> {
        self.cancellation_rules.iter().map(Arc::as_ref).find(|rules| rules.id == id)
    }

    /// Commission rates that insurers owe, with the partners' shares (D86).
    pub fn commission(&self) -> &CommissionTerms {
        &self.commission
    }

    /// Columns of the insurers' bordereaux.
    pub fn bordereaux(&self) -> &Bordereaux {
        &self.bordereaux
    }

    /// Rules for complaints. `None`: this service has no complaint register.
    pub fn complaints(&self) -> Option<&ComplaintRules> {
        self.complaints.as_ref()
    }

    /// English name of an illness. The id itself if the catalogue does not have the illness.
    pub fn illness_name<'c>(&'c self, id: &'c str) -> &'c str {
        self.illnesses.iter().find(|known| known.id == id).map_or(id, |known| known.name.english())
    }

    pub fn insurer(&self, id: InsurerId) -> Option<&Insurer> {
        self.insurers().find(|insurer| insurer.id == id)
    }

    pub fn product(&self, id: ProductId) -> Option<&Product> {
        self.products().find(|product| product.id == id)
    }
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Catalogue({:?}, {})", self.name, self.hash)
    }
}

/// Variants of one line of business, indexed by id and by partner.
struct VariantIndex<V> {
    variants: Vec<V>,
    by_id: HashMap<VariantId, usize>,
    /// For each partner with an assortment: positions in `variants`, ascending.
    by_partner: HashMap<PartnerId, Vec<usize>>,
    /// All positions in `variants`, for partners without an assortment.
    all: Vec<usize>,
}

impl<V> VariantIndex<V> {
    fn of(
        variants: Vec<V>,
        id: impl Fn(&V) -> VariantId,
        assortments: &BTreeMap<PartnerId, Vec<VariantId>>,
    ) -> Self {
        let positions = |named: &Vec<VariantId>| {
            let opened = variants.iter().enumerate().filter(|(_, variant)| named.contains(&id(variant)));
            opened.map(|(position, _)| position).collect()
        };
        VariantIndex {
            by_id: variants.iter().enumerate().map(|(position, variant)| (id(variant), position)).collect(),
            by_partner: assortments.iter().map(|(of, named)| (*of, positions(named))).collect(),
            all: (0..variants.len()).collect(),
            variants,
        }
    }

    /// Variants that a partner may sell.
    fn opened(&self, partner: PartnerId) -> impl ExactSizeIterator<Item = &V> + Clone {
        let positions = self.by_partner.get(&partner).unwrap_or(&self.all);
        positions.iter().map(|position| &self.variants[*position])
    }

    fn find(&self, id: VariantId) -> Option<&V> {
        self.by_id.get(&id).map(|position| &self.variants[*position])
    }
}
