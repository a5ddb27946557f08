//! The built program as its operator uses it: command line, files, signals, jobs during kills,
//! confidentiality.

#[path = "../support/mod.rs"]
mod support;

mod audit;
mod backup;
mod canary;
mod certify;
mod claims;
mod clock;
mod command_line;
mod commands_beside_a_server;
mod complaints;
mod database;
mod floors;
mod help_examples;
mod import;
mod insurers;
mod jobs;
mod journey;
mod key_rotation;
mod listen;
mod load;
mod login;
mod lost_store;
mod monitoring;
mod month;
mod operators;
mod personal_data;
mod policies;
mod premiums;
mod processes;
mod readme;
mod released;
mod root;
mod running_catalogue;
mod serving;
mod slow_insurers;
mod stalled_log;
mod statements;
mod traces;
mod trigger;
mod verify;
mod waiting_acts;
mod webhooks;
mod wording;
