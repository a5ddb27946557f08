//! Limits of health variants. A request must satisfy them before a rate is looked up.

use std::sync::Arc;

use domain::date::LeastAge;
use domain::health_quote::{HealthRequest, NotOffered, Relation};

use crate::between::Between;
use crate::family::{Family, FamilySize, is_child};
use crate::zones::{Zone, Zones};

/// Families and zones that a variant accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthLimits {
    /// Allowed ages of adults at the first sale, in completed years.
    pub adult_age: Between<u16>,
    /// Highest age of an adult at a renewal, in completed years. Not less than the highest age in
    /// [`Self::adult_age`].
    pub renewal_age: u16,
    /// Allowed ages of children in completed years. A son or daughter above the highest age counts as an
    /// adult.
    pub child_age: Between<u16>,
    /// Exact least age of children, if the catalogue gives it in days or months (D75).
    pub least_child_age: Option<LeastAge>,
    /// Allowed numbers of adults.
    pub adults: Between<u8>,
    /// Allowed numbers of children.
    pub children: Between<u8>,
    /// Allowed relations of members to the proposer.
    pub relations: Vec<Relation>,
    pub(crate) zones: Arc<Zones>,
    /// Zones in which the variant is sold.
    pub(crate) sold_in: Vec<Zone>,
}

impl HealthLimits {
    /// Pincode prefixes of the zones in which the variant is sold. `*` means all pincodes that match no
    /// prefix of the catalogue.
    pub fn pincode_prefixes(&self) -> impl Iterator<Item = &str> {
        self.zones.prefixes_of(&self.sold_in)
    }

    /// Checks a request. Returns the family and its zone. At a renewal, children have no least age, and the
    /// highest age of adults is [`Self::renewal_age`].
    ///
    /// # Errors
    /// The first limit that the request breaks, in the order relation, age, family size, zone.
    pub(crate) fn check<'r>(&self, request: &'r HealthRequest) -> Result<(Family<'r>, Zone), NotOffered> {
        let (mut adults, mut children) = (0_usize, 0_usize);
        let is_renewal = request.covered_since.is_some();
        let adult_age = if is_renewal { self.renewable() } else { self.adult_age };
        for member in &request.members {
            if !self.relations.contains(&member.relation) {
                return Err(NotOffered::Relation(member.relation));
            }
            let age = member.age.completed_years();
            if is_child(member, self.child_age.most) {
                let Between { least, most } = self.child_age;
                match self.least_child_age.filter(|_| !is_renewal) {
                    Some(least) if !member.age.may_have_reached(least) => {
                        return Err(NotOffered::ChildAgeFrom { least, most });
                    }
                    None if age < least && !is_renewal => return Err(NotOffered::ChildAge { least, most }),
                    Some(_) | None => {}
                }
                children += 1;
            } else {
                let Between { least, most } = adult_age;
                if !adult_age.holds(&age) {
                    return Err(NotOffered::Age { least, most });
                }
                adults += 1;
            }
        }
        let size = self.size_of(adults, children).ok_or(NotOffered::Family)?;
        let zone = self.zones.of_pincode(&request.customer.pincode);
        let zone = zone.filter(|zone| self.sold_in.contains(zone)).ok_or(NotOffered::Zone)?;
        Ok((Family::of(&request.members, size), zone))
    }

    /// Allowed ages of adults at a renewal.
    const fn renewable(&self) -> Between<u16> {
        Between { least: self.adult_age.least, most: self.renewal_age }
    }

    /// Size of a family. `None` if the variant does not accept families of this size.
    fn size_of(&self, adults: usize, children: usize) -> Option<FamilySize> {
        let adults = u8::try_from(adults).ok().filter(|adults| self.adults.holds(adults))?;
        let children = u8::try_from(children).ok().filter(|children| self.children.holds(children))?;
        Some(FamilySize { adults, children })
    }

    /// All family sizes that the variant accepts.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = FamilySize> {
        let children = self.children.least..=self.children.most;
        (self.adults.least..=self.adults.most)
            .flat_map(move |adults| children.clone().map(move |children| FamilySize { adults, children }))
    }

    /// Ages that the eldest member can have, at the first sale or a renewal. The least age is that of adults,
    /// because every family has an adult. The highest age can be that of a child, because a child can be
    /// older than the adult.
    pub(crate) fn ages_of_eldest(&self) -> Between<u16> {
        let oldest_child = if self.children.most > 0 { self.child_age.most } else { 0 };
        Between { least: self.adult_age.least, most: self.renewal_age.max(oldest_child) }
    }

    /// Ages that the members other than the eldest can have. They are children, further adults, or the only
    /// adult if a child is older.
    pub(crate) fn ages_of_others(&self) -> Vec<Between<u16>> {
        let Between { least, most } = self.renewable();
        let children = (self.children.most > 0).then_some(self.child_age);
        let oldest_adult =
            if self.adults.most > 1 { Some(most) } else { children.map(|ages| ages.most.min(most)) };
        let adults = oldest_adult.filter(|most| *most >= least).map(|most| Between { least, most });
        children.into_iter().chain(adults).collect()
    }

    /// Ages that a member of the family can have.
    pub(crate) fn ages(&self) -> Vec<Between<u16>> {
        let children = (self.children.most > 0).then_some(self.child_age);
        std::iter::once(self.renewable()).chain(children).collect()
    }
}
