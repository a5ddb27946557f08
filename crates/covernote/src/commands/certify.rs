//! `covernote certify`: checks a test partner's integration while it runs (D36, D96, D97).
//!
//! A proxy between the integration and the service makes some calls fail. The command also sends webhook
//! messages, some of them forged. Then it judges how the integration reacted.

mod message;
mod operation;
mod proxy;
mod record;
mod report;
mod rule;
mod trouble;

use std::fs;
use std::sync::Arc;

use serde_json::json;
use tokio::net::TcpListener;

use self::message::Messages;
use self::proxy::Proxy;
use super::block_on;
use super::event_feed::EventFeed;
use super::message_sender::{MessageSender, Signer};
use super::partner_api::PartnerApi;
use super::process;
use super::stop_signal::stop_signal;
use crate::cli::Certify;
use crate::failure::{Failure, Result};
use crate::output;

pub(super) fn run(certify: Certify) -> Result<()> {
    let certify = &certify;
    let mut api = PartnerApi::new(&certify.access, &["business", "business.webhook"])?;
    let proxy = Arc::new(Proxy::to(api.base(), certify.seed));
    let messages = Arc::new(Messages {
        sender: MessageSender::to(&certify.forward_to)?,
        signer: Signer::of(certify.secret.as_ref())?,
        forger: Signer::of(None)?,
        proxy: proxy.clone(),
    });
    let address = process::address("listen", &certify.listen)?;
    let door = proxy.clone();
    block_on(async move {
        let stop = stop_signal()?;
        api.needs_test_partner("certify").await?;
        let feed = EventFeed::from_now(&mut api, Vec::new()).await?;
        let cannot = |cause| Failure::Away(format!("cannot listen on {address}: {cause}"));
        let listener = TcpListener::bind(address).await.map_err(cannot)?;
        print_start(certify, &listener.local_addr().map_err(cannot)?.to_string(), &messages.signer);
        let over = async {
            match certify.length {
                Some(length) => tokio::time::sleep(length).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = local_http::serve(listener, move |received| door.clone().answer(received)) => Ok(()),
            ended = message::send(messages, api, feed) => ended,
            () = over => Ok(()),
            () = stop => Ok(()),
        }
    })?;
    let record = proxy.ended();
    let judged = rule::judge(&record);
    if let Some(file) = &certify.junit {
        fs::write(file, report::junit(&judged))
            .map_err(|cause| Failure::Away(format!("{} cannot be written: {cause}", file.display())))?;
    }
    if certify.json {
        output::data(&report::to_json(&record, &judged).to_string());
    } else {
        judged.iter().for_each(|rule| output::data(&report::line(rule)));
    }
    match judged.iter().filter(|rule| !rule.is_good()).count() {
        0 => Ok(()),
        open => Err(Failure::Failed(format!("{open} of {} rules are broken or untested", judged.len()))),
    }
}

/// Prints the address that the integration must call, and the secret that signs messages if it was made here.
fn print_start(certify: &Certify, address: &str, signer: &Signer) {
    if certify.json {
        output::data(&json!({ "url": format!("http://{address}"), "secret": signer.made }).to_string());
        return;
    }
    if let Some(secret) = &signer.made {
        output::message(&format!("messages are signed with {secret}"));
    }
    let until = if certify.length.is_some() {
        "the check ends after the time in --for"
    } else {
        "Ctrl-C ends the check"
    };
    output::message(&format!("the integration calls http://{address} instead of the service; {until}"));
}
