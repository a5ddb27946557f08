//! An amount of premium, as several nouns show it.

use domain::money::Premium;
use serde::Serialize;
use utoipa::ToSchema;

/// An amount of premium with its tax, in rupees with two decimals.
#[derive(Serialize, ToSchema)]
pub(crate) struct PremiumSplit {
    /// Without tax.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    base: String,
    /// Tax.
    #[schema(pattern = r"^[0-9]+\.[0-9]{2}$")]
    gst: String,
    /// Both together.
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
