//! Fictional payment gateway for the demo and for tests. It takes no money. Otherwise it works like a real
//! gateway: the address of its page contains the order, and its payment reports are signed with HMAC-SHA256.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::date::Timestamp;
use domain::money::{PlainAmount, Rupees};
use domain::premium::PaymentReference;
use domain::text::FromText;
use serde_json::{Value, json};

use service::clock::Random;
use service::outside::payment_gateway::{GatewayMessage, GatewayPayment, PaymentGateway, PaymentOrder};

/// Secret shared with this service, and address of the gateway's page.
pub struct FictionalGateway {
    key: hmac::Key,
    page: String,
}

impl std::fmt::Debug for FictionalGateway {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "FictionalGateway({})", self.page)
    }
}

impl FictionalGateway {
    /// Creates a gateway with a page at this address and a new random secret.
    pub fn at(page: String, random: &dyn Random) -> Self {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        FictionalGateway { key: hmac::Key::new(hmac::HMAC_SHA256, &secret), page }
    }

    /// Payment order from the code in the address of the gateway's page. `None` if the code is invalid or was
    /// changed.
    pub fn order(&self, code: &str) -> Option<PaymentOrder> {
        let (body, mark) = code.split_once('.')?;
        let mark = URL_SAFE_NO_PAD.decode(mark).ok()?;
        hmac::verify(&self.key, body.as_bytes(), &mark).ok()?;
        let order: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).ok()?).ok()?;
        let text = |key: &str| order[key].as_str().map(str::to_owned);
        Some(PaymentOrder {
            id: text("order")?,
            amount: PlainAmount::from_text(&text("amount")?).ok()?.0,
            payee: text("payee")?,
            what: text("what")?,
            expires_at: Timestamp::from_microsecond(order["expires_at"].as_i64()?).ok()?,
            return_url: text("return_url")?,
        })
    }

    /// Report of a payment: the body and the signature of the body.
    pub fn tells(&self, payment: &GatewayPayment) -> (Vec<u8>, String) {
        let body = json!({
            "event": "payment.captured",
            "order": payment.order,
            "payment": payment.reference.as_str(),
            "amount": payment.amount.to_string(),
            "currency": payment.currency,
        });
        let body = body.to_string().into_bytes();
        let mark = hmac::sign(&self.key, &body);
        (body, URL_SAFE_NO_PAD.encode(mark))
    }
}

impl PaymentGateway for FictionalGateway {
    fn page(&self, order: &PaymentOrder) -> String {
        let body = json!({
            "order": order.id,
            "amount": order.amount.to_string(),
            "payee": order.payee,
            "what": order.what,
            "expires_at": order.expires_at.as_microsecond(),
            "return_url": order.return_url,
        });
        let body = URL_SAFE_NO_PAD.encode(body.to_string());
        let mark = URL_SAFE_NO_PAD.encode(hmac::sign(&self.key, body.as_bytes()));
        format!("{}?order={body}.{mark}", self.page)
    }

    fn signature_header(&self) -> &'static str {
        "x-gateway-signature"
    }

    fn read(&self, message: GatewayMessage<'_>) -> Option<GatewayPayment> {
        let mark = URL_SAFE_NO_PAD.decode(message.signature?).ok()?;
        hmac::verify(&self.key, message.body, &mark).ok()?;
        let told: Value = serde_json::from_slice(message.body).ok()?;
        let text = |key: &str| told[key].as_str().filter(|_| told["event"] == "payment.captured");
        Some(GatewayPayment {
            order: text("order")?.to_owned(),
            reference: PaymentReference::from_text(text("payment")?).ok()?,
            amount: PlainAmount::from_text(text("amount")?).ok().map(|amount| amount.0)?,
            currency: text("currency")?.to_owned(),
        })
        .filter(|payment| payment.amount > Rupees::ZERO)
    }
}
