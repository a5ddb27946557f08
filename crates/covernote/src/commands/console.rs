//! The console: the operators' pages with their API for other machines, on its own listener.

use std::net::SocketAddr;
use std::sync::Arc;

use operators::Serving;
use service::Service;
use web::server::Tls;

use super::process::{address, bind};
use crate::failure::{Failure, Result};
use crate::operator_socket::serving;
use crate::settings::Settings;
use crate::wiring::web_limits;

/// Address of a demo's console, if the settings name none.
const OF_DEMO: &str = "127.0.0.1:8099";

/// Serves the console until the process ends, if the settings enable the console. Without TLS, the console
/// must listen on loopback, for this machine or for a TLS proxy on this machine.
/// A demo always has a console, and its link signs in without a passkey.
pub(super) fn serve(
    service: Arc<Service>,
    settings: &mut Settings,
    tls: Option<Arc<Tls>>,
    is_demo: bool,
) -> Result<()> {
    let is_chosen = !settings.console_listen.is_empty();
    if !is_chosen {
        if !is_demo {
            return Ok(());
        }
        settings.console_listen = OF_DEMO.to_owned();
    }
    let address = address("console_listen", &settings.console_listen)?;
    if tls.is_none() && !address.ip().is_loopback() {
        return Err(Failure::Configuration(
            "console_listen: other machines can reach it, so set tls_certificate and tls_key, or let it listen on 127.0.0.1 behind a proxy that speaks TLS".into(),
        ));
    }
    let listener = match bind(address) {
        // Another demo may use the usual port.
        Err(_) if !is_chosen => bind(SocketAddr::new(address.ip(), 0))?,
        bound => bound?,
    };
    // With port 0 the system chooses a port, and the address of the console must have it.
    if let Ok(bound) = listener.local_addr() {
        settings.console_listen = bound.to_string();
    }
    let limits = web_limits(settings);
    let console =
        operators::console(service.clone(), Serving { is_demo, ..serving(settings)? }, limits.clone());
    let console = console.map_err(|fault| Failure::Configuration(format!("console_url: {fault}")))?;
    let url = settings.console_address();
    tracing::info!(console.url = url, "operators sign in at {url}");
    tokio::spawn(async move {
        if service.team.list().await.is_ok_and(|team| team.is_empty()) {
            tracing::info!("there is no operator yet: run covernote operator invite NAME --role admin");
        }
        if let Err(cause) = web::server::listen(console, limits, listener, tls).await {
            tracing::error!("the console is no longer served: {cause}");
        }
    });
    Ok(())
}
