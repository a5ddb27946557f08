//! Scopes: what a token may do (interface, Authentication; D2).

use std::fmt;

use crate::text::vocabulary;

vocabulary! {
    /// Permission that a token carries.
    Scope, "one of business.session, business, business.quote.read, business.quote.write, business.proposal.read, business.proposal.write, business.policy.write, business.policy.read, business.webhook" {
        /// Create sessions, and open the hosted journey.
        BusinessSession = "business.session",
        /// All other scopes together (D2).
        Business = "business",
        QuoteRead = "business.quote.read",
        /// Create quotes.
        QuoteWrite = "business.quote.write",
        ProposalRead = "business.proposal.read",
        /// Create proposals.
        ProposalWrite = "business.proposal.write",
        /// Report paid premiums, and change policies.
        PolicyWrite = "business.policy.write",
        PolicyRead = "business.policy.read",
        /// Read events, and manage the endpoints that receive them.
        Webhook = "business.webhook",
    }
}

/// Set of scopes, one bit per scope.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Scopes(u16);

impl Scopes {
    pub const NONE: Scopes = Scopes(0);

    /// Scopes that every partner has. A token request that names no scope gets these scopes (D48).
    pub fn default_of_all() -> Self {
        Scopes::NONE.and(Scope::BusinessSession)
    }

    pub fn all() -> Self {
        Scope::ALL.iter().fold(Scopes::NONE, |set, scope| set.and(*scope))
    }

    #[must_use]
    pub const fn and(self, scope: Scope) -> Self {
        Scopes(self.0 | 1 << scope as u8)
    }

    #[must_use]
    pub const fn without(self, scope: Scope) -> Self {
        Scopes(self.0 & !(1 << scope as u8))
    }

    /// Scopes of this set that `granted` allows. If `granted` holds `business`, it allows every scope.
    #[must_use]
    pub fn within(self, granted: Scopes) -> Self {
        Scope::ALL
            .iter()
            .filter(|scope| self.holds(**scope) && granted.grants(**scope))
            .fold(Scopes::NONE, |set, scope| set.and(*scope))
    }

    /// Whether this very scope is in the set. `business` in the set does not count as another scope.
    pub const fn holds(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }

    /// Whether the set allows what the scope permits: the set holds the scope or `business` (D2).
    pub const fn grants(self, scope: Scope) -> bool {
        self.holds(scope) || self.holds(Scope::Business)
    }

    /// The scopes in the contract's order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(move |scope| self.holds(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        scopes.into_iter().fold(Scopes::NONE, Scopes::and)
    }
}

impl fmt::Display for Scopes {
    /// Scopes separated by spaces, as in RFC 9068.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, scope) in self.iter().enumerate() {
            if at > 0 {
                to.write_str(" ")?;
            }
            to.write_str(scope.word())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Scopes({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scope_business_grants_every_scope() {
        let business = Scopes::NONE.and(Scope::Business); // D2
        assert!(Scope::ALL.iter().all(|scope| business.grants(*scope)));
    }

    #[test]
    fn a_narrow_scope_grants_only_itself() {
        let set = Scopes::NONE.and(Scope::QuoteRead);
        assert!(
            set.grants(Scope::QuoteRead) && !set.grants(Scope::QuoteWrite) && !set.grants(Scope::Business)
        );
    }
}
