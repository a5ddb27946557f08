//! Loading a catalogue: each file here parses one kind of file or section.

mod cancellation;
mod catalogue;
mod catalogue_file;
mod credit_life;
mod credit_limits;
mod dated_rates;
mod fact_loadings;
mod health;
mod health_limits;
mod health_lists;
mod health_steps;
mod illness_terms;
mod insurer;
mod joint_life;
mod parsed_product;
mod pre_underwriting;
mod premium_terms;
mod price;
mod product;
mod product_context;
mod references;
mod riders;
mod steps;
mod taxes;
mod tenures;
mod zones;
