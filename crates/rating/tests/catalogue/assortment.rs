//! Tests assortments: the variants that a partner may sell.

use domain::id::{PartnerId, Uuid};
use rating::Catalogue;

use crate::edit::{ACCIDENT, LEVEL, REDUCING, changed, load};

fn opened(catalogue: &Catalogue, partner: PartnerId) -> Vec<String> {
    catalogue.credit_variants(partner).map(|variant| variant.id.to_string()).collect()
}

fn partner(n: u128) -> PartnerId {
    PartnerId::from_uuid(Uuid::from_u128(n))
}

fn catalogue() -> Catalogue {
    let assortments = format!(
        "[[assortment]]\npartner = \"{}\"\nvariants = [\"{ACCIDENT}\", \"{LEVEL}\"]\n\
         [[assortment]]\npartner = \"{}\"\nvariants = []\n[[tax]]",
        partner(1),
        partner(2),
    );
    load(&changed("catalogue.toml", "[[tax]]", &assortments))
}

#[test]
fn a_partner_sells_the_variants_of_its_assortment_in_the_catalogues_order() {
    assert_eq!(opened(&catalogue(), partner(1)), [LEVEL, ACCIDENT]); // D22
}

#[test]
fn a_partner_with_an_empty_assortment_sells_nothing() {
    assert_eq!(catalogue().credit_variants(partner(2)).len(), 0);
}

#[test]
fn a_partner_without_an_assortment_sells_every_variant() {
    let catalogue = catalogue();
    assert_eq!(catalogue.credit_variants(partner(3)).len(), catalogue.all_credit_variants().len());
    assert!(opened(&catalogue, partner(3)).contains(&REDUCING.to_owned()));
}
