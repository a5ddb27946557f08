//! `covernote worker`: a process that runs jobs beside the servers of a PostgreSQL database.

use std::path::Path;
use std::sync::Arc;

use super::console;
use super::process::{self, ReadSettings, Signals};
use crate::cli::Worker;
use crate::demo_folder;
use crate::failure::{Failure, Result};
use crate::settings::Settings;
use crate::wiring::{
    Engine, connectors, engine, load_catalogue, make_folder, open_service_with, tls, validate_insurers,
};
use crate::{operator_socket, supervisor};

pub(super) fn run(worker: Worker) -> Result<()> {
    let settings = Settings::read(&worker.flags, worker.process.flag_values(), Settings::environment())?;
    if matches!(engine(&settings)?, Engine::Sqlite) {
        return Err(Failure::Configuration(
            "database: a worker needs a PostgreSQL database; with sqlite the single server runs the jobs itself".into(),
        ));
    }
    if settings.workers == 0 {
        return Err(Failure::Configuration("workers: must be at least 1 for this command; it is 0".into()));
    }
    let own = worker.process.flag_values();
    let again = Box::new(move || Settings::read(&worker.flags, own.clone(), Settings::environment()));
    process::run(&settings.clone(), run_until_stopped(settings, again))
}

async fn run_until_stopped(mut settings: Settings, again: ReadSettings) -> Result<()> {
    let signals = Signals::listen(again)?;
    let folder = Path::new(&settings.data);
    make_folder(folder)?;
    demo_folder::refuse_marked(folder)?;
    let probed = process::start_metrics(&settings)?;
    let connectors = Arc::new(connectors(&settings));
    let catalogue = load_catalogue(&settings.catalogue)?;
    validate_insurers(&connectors, &catalogue.catalogue)?;
    let service = Arc::new(open_service_with(&settings, connectors.clone(), catalogue, None).await?);
    probed.watch_worker(&service);
    tracing::info!(workers = settings.workers, "covernote runs jobs, at most {} at once", settings.workers);
    let (stopping, worked) = process::start_background_tasks(&service, connectors, None, &settings, signals);
    let tls = tls(&settings)?;
    console::serve(service.clone(), &mut settings, tls, false)?;
    let operators = operator_socket::serve(service.clone(), &settings).await?;
    supervisor::ready("Runs jobs");
    stopping.await;
    if let Some(operators) = operators {
        operators.finish().await;
    }
    worked.await;
    service.installation.close().await?;
    tracing::info!("covernote has stopped");
    Ok(())
}
