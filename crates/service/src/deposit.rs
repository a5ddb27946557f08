//! Advance deposits with insurers, from which policies draw their premium (D63).

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::InsurerId;
use domain::money::Rupees;
use domain::premium::{Account, Entry, Posting};
use rating::{Catalogue, DepositTerms, PremiumTerms, Product};

use crate::catalogue::Catalogues;
use crate::clock::Clock;
use crate::error::Error;
use crate::job_signal::JobSignal;
use crate::storage::Deposits;
use crate::storage::premiums::{Deposit, DepositChange, DepositChanged};

/// A deposit as its operator sees it.
#[derive(Debug, Clone)]
pub struct DepositView {
    /// With whom it lies.
    pub insurer: InsurerId,
    /// The insurer's name, where the running catalogue has one.
    pub insurer_name: Option<String>,
    /// Its name.
    pub name: String,
    /// What is left.
    pub balance: Rupees,
    /// Whether the insurer guarantees cover beyond it.
    pub guaranteed: bool,
    /// The balance below which there is a warning, where the running catalogue names the deposit.
    pub warn_below: Option<Rupees>,
}

impl DepositView {
    /// Whether the balance is below what the catalogue says.
    pub fn is_low(&self) -> bool {
        self.warn_below.is_some_and(|least| self.balance < least)
    }
}

/// Opens deposits, and changes and shows them for their operator.
pub struct DepositService {
    pub(crate) storage: Arc<dyn Deposits>,
    pub(crate) catalogues: Arc<Catalogues>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) job_signal: JobSignal,
    /// Deposits that are known to be open, with whether they are guaranteed.
    pub(crate) open: Mutex<HashMap<(InsurerId, String), bool>>,
    /// Deposits that were low at the last look.
    pub(crate) low: Mutex<HashSet<(InsurerId, String)>>,
}

impl DepositService {
    /// Opens a deposit of the catalogue where it is drawn on for the first time.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn ensure_open(&self, insurer: InsurerId, terms: &DepositTerms) -> Result<(), Error> {
        // A proposal may be of an older catalogue; what the running one says of the deposit holds.
        let catalogue = self.catalogues.running();
        let guaranteed =
            named(&catalogue, insurer, &terms.name).map_or(terms.guaranteed, |now| now.guaranteed);
        let deposit = (insurer, terms.name.clone());
        let known = self.open.lock().unwrap_or_else(PoisonError::into_inner).get(&deposit).copied();
        if known == Some(guaranteed) {
            return Ok(());
        }
        let known = deposit;
        let deposit =
            Deposit { insurer, name: terms.name.clone(), balance: terms.opening_balance, guaranteed };
        self.storage.open_deposit(&deposit, self.clock.now()).await?;
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(known, guaranteed);
        Ok(())
    }

    /// Every deposit that the running catalogue names or that was drawn on before.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn list(&self) -> Result<Vec<DepositView>, Error> {
        let catalogue = self.catalogues.running();
        for (product, terms) in of_catalogue(catalogue.products()) {
            self.ensure_open(product.insurer.id, terms).await?;
        }
        let view = |deposit: Deposit| {
            let mut named = of_catalogue(catalogue.products()).filter(|(product, terms)| {
                product.insurer.id == deposit.insurer && terms.name == deposit.name
            });
            let named = named.next();
            DepositView {
                insurer: deposit.insurer,
                insurer_name: named.map(|(product, _)| product.insurer.name.clone()),
                name: deposit.name,
                balance: deposit.balance,
                guaranteed: deposit.guaranteed,
                warn_below: named.map(|(_, terms)| terms.warn_below),
            }
        };
        Ok(self.storage.deposits().await?.into_iter().map(view).collect())
    }

    /// Looks at every deposit: its balance becomes a metric, and one that has come to be low a warning.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn watch(&self) -> Result<(), Error> {
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
                tracing::warn!(insurer.id = %deposit.insurer, "the deposit {} is low: {left}", deposit.name);
            }
        }
        Ok(())
    }

    /// Notes money that was paid into a deposit, or taken out of it. The same reference again changes nothing. Proposals
    /// that wait for the deposit are tried again.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown deposit; [`Error::Conflict`] for a reference of another payment, and where there
    /// is too little to take out.
    pub async fn change(
        &self,
        insurer: InsurerId,
        name: &str,
        entry: Entry,
        amount: Rupees,
        reference: &str,
    ) -> Result<Rupees, Error> {
        self.list().await?;
        let (debit, credit) = match entry {
            Entry::Withdrawal => (Account::Deposit, Account::WithInsurer),
            _ => (Account::WithInsurer, Account::Deposit),
        };
        let change = DepositChange {
            insurer,
            name: name.to_owned(),
            posting: Posting { entry, debit, credit, amount },
            reference: reference.to_owned(),
            at: self.clock.now(),
        };
        match self.storage.change_deposit(&change).await? {
            DepositChanged::Done(balance) => {
                self.job_signal.wake_workers();
                Ok(balance)
            }
            DepositChanged::Twin(balance) => Ok(balance),
            DepositChanged::Different => Err(Error::Conflict(format!(
                "Another payment of the deposit {name} has the reference {reference}."
            ))),
            DepositChanged::TooLittle(balance) => {
                Err(Error::Conflict(format!("The deposit {name} has {}.", balance.grouped_with_paise())))
            }
            DepositChanged::Unknown => Err(Error::Unknown { what: "deposit", id: name.to_owned() }),
        }
    }
}

/// What a catalogue says of a deposit, where it names it.
fn named<'c>(catalogue: &'c Catalogue, insurer: InsurerId, name: &str) -> Option<&'c DepositTerms> {
    let mut terms = of_catalogue(catalogue.products());
    let is_it =
        |(product, terms): &(&Product, &DepositTerms)| product.insurer.id == insurer && terms.name == name;
    terms.find(is_it).map(|(_, terms)| terms)
}

/// The products of a catalogue that draw on a deposit.
fn of_catalogue<'c>(
    products: impl Iterator<Item = &'c Product>,
) -> impl Iterator<Item = (&'c Product, &'c DepositTerms)> {
    products.filter_map(|product| match &product.premium {
        PremiumTerms::Deposit(terms) => Some((product, terms)),
        PremiumTerms::Link { .. } | PremiumTerms::Here | PremiumTerms::Partner => None,
    })
}
