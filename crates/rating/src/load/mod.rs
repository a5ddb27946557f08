//! Loading: the files of a catalogue become insurers, products and variants, and every fault is reported.

mod catalogue;
mod catalogue_file;
mod credit_life;
mod credit_limits;
mod health;
mod health_limits;
mod health_lists;
mod illness_terms;
mod insurer;
mod parsed_product;
mod pre_underwriting;
mod price;
mod product;
mod product_context;
mod references;
mod tenures;
mod zones;
