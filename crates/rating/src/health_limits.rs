//! Limits of health variants, which a request must keep before any rate is looked up.

use std::sync::Arc;

use domain::date::LeastAge;
use domain::health_quote::{HealthRequest, NotOffered, Relation};

use crate::between::Between;
use crate::family::{Family, FamilySize, is_child};
use crate::zones::{Zone, Zones};

/// Which families a variant covers, with the zones where they may live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthLimits {
    /// Ages of adults in completed years.
    pub adult_age: Between<u16>,
    /// The oldest adult whose policy is renewed, in completed years; at least that of [`Self::adult_age`].
    pub renewal_age: u16,
    /// Ages of children in completed years. A son or daughter above the most is an adult.
    pub child_age: Between<u16>,
    /// The least age of children, where it is not in whole years (D75).
    pub least_child_age: Option<LeastAge>,
    /// How many adults.
    pub adults: Between<u8>,
    /// How many children.
    pub children: Between<u8>,
    /// Who may be covered.
    pub relations: Vec<Relation>,
    pub(crate) zones: Arc<Zones>,
    /// The zones where it is sold.
    pub(crate) sold_in: Vec<Zone>,
}

impl HealthLimits {
    /// The beginnings of the pincodes where it is sold; `*` stands for every pincode that none of the catalogue's beginnings fits.
    pub fn pincode_prefixes(&self) -> impl Iterator<Item = &str> {
        self.zones.prefixes_of(&self.sold_in)
    }

    /// Checks a request. Gives the family with its zone. Who is covered already and only renews is not too young, and too old
    /// later than others.
    ///
    /// # Errors
    /// The first limit that the request exceeds: relation, age, size of the family, zone.
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

    /// Ages of adults whose policy is renewed.
    const fn renewable(&self) -> Between<u16> {
        Between { least: self.adult_age.least, most: self.renewal_age }
    }

    /// The size of a family, where the variant covers families of this size.
    fn size_of(&self, adults: usize, children: usize) -> Option<FamilySize> {
        let adults = u8::try_from(adults).ok().filter(|adults| self.adults.holds(adults))?;
        let children = u8::try_from(children).ok().filter(|children| self.children.holds(children))?;
        Some(FamilySize { adults, children })
    }

    /// Every size of family that is covered.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = FamilySize> {
        let children = self.children.least..=self.children.most;
        (self.adults.least..=self.adults.most)
            .flat_map(move |adults| children.clone().map(move |children| FamilySize { adults, children }))
    }

    /// Ages that the eldest of a family may have, one that renews included. There is always an adult.
    pub(crate) fn ages_of_eldest(&self) -> Between<u16> {
        let oldest_child = if self.children.most > 0 { self.child_age.most } else { 0 };
        Between { least: self.adult_age.least, most: self.renewal_age.max(oldest_child) }
    }

    /// Ages that members beside the eldest may have: children, further adults, and an adult younger than a child.
    pub(crate) fn ages_of_others(&self) -> Vec<Between<u16>> {
        let Between { least, most } = self.renewable();
        let children = (self.children.most > 0).then_some(self.child_age);
        let oldest_adult =
            if self.adults.most > 1 { Some(most) } else { children.map(|ages| ages.most.min(most)) };
        let adults = oldest_adult.filter(|most| *most >= least).map(|most| Between { least, most });
        children.into_iter().chain(adults).collect()
    }

    /// Ages that anyone may have.
    pub(crate) fn ages(&self) -> Vec<Between<u16>> {
        let children = (self.children.most > 0).then_some(self.child_age);
        std::iter::once(self.renewable()).chain(children).collect()
    }
}
