//! The tests of the catalogue and the price, in one binary.

mod assortment;
mod chart;
mod edit;
mod faulty_keys;
mod faulty_references;
mod faulty_tables;
mod files;
mod pricing;
mod sample;
mod slips;
mod tax;
mod told;
