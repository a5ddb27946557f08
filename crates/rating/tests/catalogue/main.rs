//! The tests of this crate, in one binary.

mod ages;
mod assortment;
mod chart;
mod dated_rates;
mod edit;
mod fact_loadings;
mod faulty_health;
mod faulty_keys;
mod faulty_references;
mod faulty_rules;
mod faulty_sheets;
mod faulty_tables;
mod faulty_texts;
mod files;
mod fuzz;
mod health_limits;
mod health_pricing;
mod joint_life;
mod pricing;
mod reported;
mod riders;
mod sample;
mod slips;
mod steps;
mod tax;
