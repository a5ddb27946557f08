//! Pages as people use them: in Debian's Chromium, by the text that they see.

#[path = "../support/mod.rs"]
mod support;

mod accessibility;
mod browser;
mod certificate_check;
mod chromedriver;
mod console;
mod controls;
mod demo;
mod developer_site;
mod harness;
mod journey;
mod journey_states;
mod keyboard;
mod local_pages;
mod look;
mod way;
