//! Premium payments of customers on the gateway's page (D65).
//!
//! The service stores no orders. The id of an order contains proposal, amount and expiry, with a keyed hash,
//! so that nobody can forge an order. Received money is stored as a receipt, once for each payment of the
//! gateway.

use std::sync::Arc;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::date::{Timestamp, day_of};
use domain::id::{PartnerId, ProposalId, Uuid};
use domain::money::Rupees;
use domain::premium::{Payee, PremiumRoute, PremiumState, ProposalPremium, Receipt};
use domain::proposal::{Actor, Proposal};
use rating::Product;

use crate::decision::premium::{PremiumService, SoldReceipt};
use crate::error::{Error, Result};
use crate::keys::{Hasher, KeyPurpose};
use crate::line::SoldLine;
use crate::outside::payment_gateway::{
    CURRENCY, GatewayMessage, ORDER_LIFETIME, PaymentGateway, PaymentOrder,
};
use crate::proposal::{ProposalService, unknown_proposal};
use crate::shared::Shared;

/// Bytes of an order's id: partner, proposal, amount in paise, expiry in microseconds, and half of a keyed
/// hash of these four.
const ORDER_BYTES: usize = 16 + 16 + 8 + 8 + 16;

/// Starts customers' payments and takes the gateway's reports.
pub struct PaymentService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) proposals: Arc<ProposalService>,
    pub(crate) premiums: Arc<PremiumService>,
}

/// Contents of an order's id.
struct Order {
    of: PartnerId,
    proposal: ProposalId,
    amount: Rupees,
    expires_at: Timestamp,
}

impl PaymentService {
    /// Whether a premium can be paid on the payment gateway's page now: it is due, and the application is
    /// accepted.
    pub fn takes(&self, premium: &ProposalPremium) -> bool {
        self.shared.settings.gateway.is_some()
            && !self.shared.partner_clock.is_test(premium.partner)
            && premium.route == PremiumRoute::Here
            && premium.books.state() == PremiumState::Due
            && premium.decision.is_some()
    }

    /// Address of the gateway's page where the premium of a proposal is paid. `None` if the premium cannot be
    /// paid there now, or the proposal is void. Each call makes a new order with its own expiry.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn begin<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        product: &Product,
        return_url: String,
    ) -> Result<Option<String>> {
        if self.proposals.is_void(proposal).await? {
            return Ok(None);
        }
        let (of, proposal) = (proposal.partner, proposal.id);
        let premium = self.premiums.of_proposal(of, proposal).await?;
        let Some((gateway, premium)) =
            self.shared.settings.gateway.as_ref().zip(premium.filter(|premium| self.takes(premium)))
        else {
            return Ok(None);
        };
        let (amount, expires_at) = (premium.books.due, self.shared.partner_clock.real() + ORDER_LIFETIME);
        let id = self.order_id(&Order { of, proposal, amount, expires_at });
        let what = format!("{}: {proposal}", product.name);
        let payee = product.insurer.name.clone();
        Ok(Some(gateway.page(&PaymentOrder { id, amount, payee, what, expires_at, return_url })))
    }

    /// Name of the HTTP header with the gateway's signature.
    ///
    /// # Errors
    /// [`Error::Unknown`] if no gateway is configured.
    pub fn signature_header(&self) -> Result<&'static str> {
        Ok(self.known_gateway()?.signature_header())
    }

    /// Takes the gateway's report of a payment. The same report again changes nothing. A late payment, or a
    /// payment of another amount, is stored for a person to settle. Returns `false` if the gateway did not
    /// sign the message.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an order that was not made here; [`Error::Conflict`] for another currency, and
    /// nothing is stored then.
    pub async fn hear(&self, message: GatewayMessage<'_>) -> Result<bool> {
        let Some(payment) = self.known_gateway()?.read(message) else { return Ok(false) };
        let order = self.read_order(&payment.order);
        let order = order.ok_or_else(|| Error::Unknown { what: "order", id: String::new() })?;
        let (of, proposal) = (order.of, order.proposal);
        if payment.currency != CURRENCY {
            tracing::error!(partner.id = %of, proposal.id = %proposal, "the gateway took another currency than INR for {proposal}: contact the gateway");
            return Err(Error::conflict("Premiums must be paid in INR.".into()));
        }
        let premium = self.premiums.of_proposal(of, proposal).await?;
        let premium = premium
            .filter(|premium| premium.route == PremiumRoute::Here)
            .ok_or_else(|| unknown_proposal(proposal))?;
        let at = self.shared.partner_clock.now(of);
        let receipt = Receipt {
            partner: of,
            reference: payment.reference,
            amount: payment.amount,
            received_on: day_of(at),
            by: Actor::Customer,
            at,
            payee: Payee::Here,
            late: self.shared.partner_clock.real() > order.expires_at || payment.amount != order.amount,
            is_live: !self.shared.partner_clock.is_test(of),
            tolerance: self.premiums.tolerance(&premium),
            lines: vec![(proposal, payment.amount)],
        };
        let sales = vec![self.premiums.sale_of(&premium).await?.0];
        self.premiums.keep(&[SoldReceipt { receipt, sales }]).await?;
        Ok(true)
    }

    fn known_gateway(&self) -> Result<&Arc<dyn PaymentGateway>> {
        self.shared
            .settings
            .gateway
            .as_ref()
            .ok_or_else(|| Error::Unknown { what: "payment gateway", id: String::new() })
    }

    fn order_id(&self, order: &Order) -> String {
        let mut bytes = Vec::with_capacity(ORDER_BYTES);
        bytes.extend_from_slice(order.of.uuid().as_bytes());
        bytes.extend_from_slice(order.proposal.uuid().as_bytes());
        bytes.extend_from_slice(&order.amount.paise().to_be_bytes());
        bytes.extend_from_slice(&order.expires_at.as_microsecond().to_be_bytes());
        let mark = mark(&self.shared.directory.hasher(KeyPurpose::Address), &bytes);
        bytes.extend_from_slice(&mark);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn read_order(&self, id: &str) -> Option<Order> {
        let bytes = URL_SAFE_NO_PAD.decode(id).ok().filter(|bytes| bytes.len() == ORDER_BYTES)?;
        let (body, found) = bytes.split_at(ORDER_BYTES - 16);
        let is_genuine = |hasher: &Hasher| verify_slices_are_equal(found, &mark(hasher, body)).is_ok();
        if !self.shared.directory.accepts(KeyPurpose::Address, is_genuine) {
            return None;
        }
        let number = |part: &[u8]| part.try_into().ok().map(i64::from_be_bytes);
        Some(Order {
            of: PartnerId::from_uuid(Uuid::from_slice(&body[..16]).ok()?),
            proposal: ProposalId::from_uuid(Uuid::from_slice(&body[16..32]).ok()?),
            amount: Rupees::from_paise(number(&body[32..40])?),
            expires_at: Timestamp::from_microsecond(number(&body[40..])?).ok()?,
        })
    }
}

fn mark(hasher: &Hasher, body: &[u8]) -> [u8; 16] {
    *hasher.hash(&[b"payment", body]).first_chunk().expect("a hash is longer than a mark")
}
