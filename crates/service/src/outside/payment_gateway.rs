//! Interface to a payment gateway that takes customers' premiums for the insurer (D65).

use std::time::Duration;

use domain::date::Timestamp;
use domain::money::Rupees;
use domain::premium::PaymentReference;

/// Currency of premiums.
pub const CURRENCY: &str = "INR";

/// How long a customer has to pay an order.
pub const ORDER_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// Payment that the gateway's page requests from a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentOrder {
    /// Our id of the order, which the gateway sends back with the payment: at most 128 letters, digits,
    /// hyphens and underscores.
    pub id: String,
    /// Amount in [`CURRENCY`].
    pub amount: Rupees,
    /// Name of the insurer, which receives the money.
    pub payee: String,
    /// Purpose of the payment, in a few words.
    pub what: String,
    /// Last time at which the gateway may take the money.
    pub expires_at: Timestamp,
    /// Page to which the customer's browser goes after the payment.
    pub return_url: String,
}

/// Payment that a gateway reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayPayment {
    /// Id of the order that the customer paid, as in [`PaymentOrder::id`].
    pub order: String,
    /// The gateway's own id of the payment. A repeated report has the same id.
    pub reference: PaymentReference,
    /// Amount that the gateway took from the customer.
    pub amount: Rupees,
    pub currency: String,
}

/// Message from a gateway.
#[derive(Debug, Clone, Copy)]
pub struct GatewayMessage<'a> {
    /// Signature from the gateway's HTTP header.
    pub signature: Option<&'a str>,
    /// Body of the message, byte for byte as it was signed.
    pub body: &'a [u8],
}

/// A payment gateway. Each adapter for a real gateway implements this trait.
pub trait PaymentGateway: std::fmt::Debug + Send + Sync {
    /// The address of the gateway's page for an order, to which the customer's browser is redirected.
    fn page(&self, order: &PaymentOrder) -> String;

    /// Name of the HTTP header with the signature, in lower case.
    fn signature_header(&self) -> &'static str;

    /// Payment that a message reports. `None` if the gateway did not sign it, or it reports no payment.
    fn read(&self, message: GatewayMessage<'_>) -> Option<GatewayPayment>;
}
