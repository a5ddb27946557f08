//! Advance deposits with insurers, from which policies draw their premium (D63).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::InsurerId;
use domain::money::Rupees;
use domain::premium::{Account, Entry, Posting};
use rating::{Catalogue, DepositTerms, PremiumTerms, Product};

use crate::error::{Error, Result};
use crate::shared::Shared;
use crate::storage::premiums::{Deposit, DepositChange, DepositChanged};

/// Deposit as the operator sees it.
#[derive(Debug, Clone)]
pub struct DepositView {
    /// Insurer that holds the deposit.
    pub insurer: InsurerId,
    /// Name of the insurer, if the running catalogue has it.
    pub insurer_name: Option<String>,
    pub name: String,
    pub balance: Rupees,
    /// Whether the insurer guarantees cover beyond the balance.
    pub guaranteed: bool,
    /// Balance below which the service warns. `None` if the running catalogue does not name the deposit.
    pub warn_below: Option<Rupees>,
}

impl DepositView {
    /// Whether the balance is below `warn_below`.
    pub fn is_low(&self) -> bool {
        self.warn_below.is_some_and(|least| self.balance < least)
    }
}

/// Opens deposits, changes them, and shows them to the operator.
pub struct DepositService {
    pub(crate) shared: Arc<Shared>,
    /// Deposits that this process knows to be open in the store.
    pub(crate) open: Mutex<HashSet<(InsurerId, String)>>,
    /// Deposits whose balance was low at the last check.
    pub(crate) low: Mutex<HashSet<(InsurerId, String)>>,
}

impl DepositService {
    /// Opens a deposit at its first use. Returns whether the insurer guarantees cover beyond the deposit's
    /// balance. The running catalogue says this, even for a proposal with an older catalogue version.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn ensure_open(&self, insurer: InsurerId, terms: &DepositTerms) -> Result<bool> {
        let catalogue = self.shared.catalogues.running();
        let guaranteed = named(&catalogue, insurer, &terms.name).unwrap_or(terms).guaranteed;
        let known = (insurer, terms.name.clone());
        if self.open.lock().unwrap_or_else(PoisonError::into_inner).contains(&known) {
            return Ok(guaranteed);
        }
        let deposit = Deposit { insurer, name: terms.name.clone(), balance: terms.opening_balance };
        self.shared.storage.open_deposit(&deposit, self.shared.clock.now()).await?;
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(known);
        Ok(guaranteed)
    }

    /// Opens every deposit that the running catalogue names.
    async fn open_all(&self) -> Result<()> {
        let catalogue = self.shared.catalogues.running();
        for (product, terms) in of_catalogue(catalogue.products()) {
            self.ensure_open(product.insurer.id, terms).await?;
        }
        Ok(())
    }

    /// Every deposit of the running catalogue, and every other deposit that was ever opened.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn list(&self) -> Result<Vec<DepositView>> {
        let catalogue = self.shared.catalogues.running();
        let mut deposits = self.shared.storage.deposits().await?;
        for (product, terms) in of_catalogue(catalogue.products()) {
            let insurer = product.insurer.id;
            if !deposits.iter().any(|there| there.insurer == insurer && there.name == terms.name) {
                let (name, balance) = (terms.name.clone(), terms.opening_balance);
                deposits.push(Deposit { insurer, name, balance });
            }
        }
        let view = |deposit: Deposit| {
            let terms = named(&catalogue, deposit.insurer, &deposit.name);
            let insurer = catalogue.insurers().find(|insurer| insurer.id == deposit.insurer);
            DepositView {
                insurer: deposit.insurer,
                insurer_name: insurer.map(|insurer| insurer.name.clone()),
                name: deposit.name,
                balance: deposit.balance,
                guaranteed: terms.is_some_and(|terms| terms.guaranteed),
                warn_below: terms.map(|terms| terms.warn_below),
            }
        };
        Ok(deposits.into_iter().map(view).collect())
    }

    /// Opens the deposits of the running catalogue, updates the metrics of all balances, and warns if one
    /// becomes low.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn watch(&self) -> Result<()> {
        self.open_all().await?;
        for deposit in self.list().await? {
            let (id, name) = (deposit.insurer.to_string(), deposit.name.clone());
            let rupees = deposit.balance.paise() as f64 / 100.0;
            metrics::gauge!("covernote_deposit_rupees", "insurer" => id, "deposit" => name).set(rupees);
            let key = (deposit.insurer, deposit.name.clone());
            let mut low = self.low.lock().unwrap_or_else(PoisonError::into_inner);
            if !deposit.is_low() {
                low.remove(&key);
            } else if low.insert(key) {
                let left = deposit.balance.grouped_with_paise();
                tracing::warn!(insurer.id = %deposit.insurer, "the deposit {} is low: {left} left", deposit.name);
            }
        }
        Ok(())
    }

    /// Records money that was paid into a deposit, or taken out of it. A repeated call with the same payment
    /// reference changes nothing. Proposals that wait for the deposit are tried again. Returns the balance.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown deposit; [`Error::Conflict`] if another payment has the same
    /// reference, or the deposit has less money than is taken out.
    pub async fn change(
        &self,
        insurer: InsurerId,
        name: &str,
        entry: Entry,
        amount: Rupees,
        reference: &str,
    ) -> Result<Rupees> {
        let catalogue = self.shared.catalogues.running();
        if let Some(terms) = named(&catalogue, insurer, name) {
            self.ensure_open(insurer, terms).await?;
        }
        let (debit, credit) = match entry {
            Entry::Withdrawal => (Account::Deposit, Account::WithInsurer),
            _ => (Account::WithInsurer, Account::Deposit),
        };
        let change = DepositChange {
            insurer,
            name: name.to_owned(),
            posting: Posting { entry, debit, credit, amount },
            reference: reference.to_owned(),
            at: self.shared.clock.now(),
        };
        match self.shared.storage.change_deposit(&change).await? {
            DepositChanged::Done(balance) => {
                self.shared.job_signal.wake_workers();
                Ok(balance)
            }
            DepositChanged::Twin(balance) => Ok(balance),
            DepositChanged::Different => Err(Error::conflict(format!(
                "Another payment of the deposit {name} has the reference {reference}."
            ))),
            DepositChanged::TooLittle(balance) => {
                Err(Error::conflict(format!("The deposit {name} has only {}.", balance.grouped_with_paise())))
            }
            DepositChanged::Unknown => Err(Error::Unknown { what: "deposit", id: name.to_owned() }),
        }
    }
}

/// Terms of a deposit in a catalogue. `None` if the catalogue does not name it.
pub fn named<'c>(catalogue: &'c Catalogue, insurer: InsurerId, name: &str) -> Option<&'c DepositTerms> {
    let mut terms = of_catalogue(catalogue.products());
    let is_it =
        |(product, terms): &(&Product, &DepositTerms)| product.insurer.id == insurer && terms.name == name;
    terms.find(is_it).map(|(_, terms)| terms)
}

/// Products whose premiums come from a deposit, each with the deposit's terms.
fn of_catalogue<'c>(
    products: impl Iterator<Item = &'c Product>,
) -> impl Iterator<Item = (&'c Product, &'c DepositTerms)> {
    products.filter_map(|product| match &product.premium {
        PremiumTerms::Deposit { deposit, .. } => Some((product, deposit)),
        PremiumTerms::Link { .. } | PremiumTerms::Here | PremiumTerms::Partner => None,
    })
}
