//! A premium or refund split into base and tax, as several responses show it.

use domain::money::Premium;
use serde::Serialize;
use utoipa::ToSchema;

/// A premium or refund, split into amount and tax, in rupees with two decimals.
#[derive(Serialize, ToSchema)]
pub(crate) struct PremiumSplit {
    /// Amount without tax, in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    base: String,
    /// Goods and services tax (GST), in rupees.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    gst: String,
    /// Amount with tax, in rupees: `base` plus `gst`.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    total: String,
}

impl PremiumSplit {
    pub(crate) fn of(premium: Premium) -> Self {
        PremiumSplit {
            base: premium.base().to_string(),
            gst: premium.gst().to_string(),
            total: premium.total().to_string(),
        }
    }
}
