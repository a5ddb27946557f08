//! Payment gateways: what this service needs of one that takes a customer's premium for the insurer (D65).

use std::time::Duration;

use domain::date::Timestamp;
use domain::money::Rupees;
use domain::premium::PaymentReference;

/// The currency in which premiums are paid.
pub const CURRENCY: &str = "INR";

/// How long a customer has to pay an order.
pub const ORDER_LIFETIME: Duration = Duration::from_secs(15 * 60);

/// What a customer is to pay, on a page of the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentOrder {
    /// Our name of it, which the gateway tells with the payment: at most 128 letters, digits, hyphens and underscores.
    pub id: String,
    /// How much, in [`CURRENCY`].
    pub amount: Rupees,
    /// Who is paid: the insurer.
    pub payee: String,
    /// What for, in a few words.
    pub what: String,
    /// Until when the gateway may take the money.
    pub expires_at: Timestamp,
    /// Where the customer's browser goes afterwards.
    pub return_url: String,
}

/// A payment, as a gateway tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayPayment {
    /// Our order.
    pub order: String,
    /// The gateway's own id of the payment. Told twice it is the same.
    pub reference: PaymentReference,
    /// How much was taken.
    pub amount: Rupees,
    pub currency: String,
}

/// What a gateway sends to us.
#[derive(Debug, Clone, Copy)]
pub struct GatewayMessage<'a> {
    /// The signature, as the gateway's header has it.
    pub signature: Option<&'a str>,
    /// The body, byte for byte as it was signed.
    pub body: &'a [u8],
}

/// A payment gateway. An adapter for a real one implements this.
pub trait PaymentGateway: std::fmt::Debug + Send + Sync {
    /// The address of the gateway's page for an order, to which the customer's browser is redirected.
    fn page(&self, order: &PaymentOrder) -> String;

    /// The name of the header that has the signature, in small letters.
    fn signature_header(&self) -> &'static str;

    /// The payment that a message tells. `None` for one that the gateway did not sign, or that tells no payment.
    fn read(&self, message: GatewayMessage<'_>) -> Option<GatewayPayment>;
}
