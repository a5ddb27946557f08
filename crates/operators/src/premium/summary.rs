//! The money of each insurer: what it is owed, what was received, what must be paid on, and its deposits.

use std::collections::BTreeMap;

use domain::date::Timestamp;
use domain::id::InsurerId;
use domain::money::Rupees;
use domain::premium::{PremiumState, ProposalPremium, REMIT_WITHIN};

use super::ALL;
use crate::act::answer::Done;
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, On, Result, Role, get};

input! {
    /// Show for each insurer which premiums are due, received, to be remitted and mismatched, and its deposits
    struct SumPremiums {}
}

impl Act for SumPremiums {
    const ABOUT: About = get("premium.summary", "/premium-summary", &[Role::Read, Role::Accounts]);

    type Answer = Done<MoneyOfInsurers>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (open, now) = (on.service.premiums.open(ALL).await?, on.service.installation.now());
        let mut of_insurers: BTreeMap<InsurerId, MoneyOfInsurer> = BTreeMap::new();
        let running = on.service.shared.catalogues.running();
        let name = |id: InsurerId| {
            running.insurers().find(|insurer| insurer.id == id).map(|insurer| insurer.name.clone())
        };
        for premium in &open {
            let of = of_insurers
                .entry(premium.insurer)
                .or_insert_with(|| MoneyOfInsurer::new(premium.insurer, name(premium.insurer)));
            of.add(premium, now);
        }
        let mut deposits = Vec::new();
        for deposit in on.service.deposits.list().await? {
            let waits = |premium: &&ProposalPremium| {
                premium.insurer == deposit.insurer
                    && premium.deposit.as_ref() == Some(&deposit.name)
                    && premium.books.state() == PremiumState::Due
            };
            let waiting: Vec<&ProposalPremium> = open.iter().filter(waits).collect();
            deposits.push(MoneyOfDeposit {
                low: deposit.is_low(),
                deposit: deposit.name,
                insurer_id: deposit.insurer,
                insurer: deposit.insurer_name,
                balance: deposit.balance,
                waiting: waiting.len(),
                waiting_amount: waiting.iter().map(|premium| premium.books.due).sum(),
            });
        }
        Ok(Done::of(MoneyOfInsurers { insurers: of_insurers.into_values().collect(), deposits }))
    }
}

answer! {
    /// The money of all insurers
    struct MoneyOfInsurers {
        /// Premiums by insurer
        #[shown(columns = ["insurer", "premiums", "due", "received", "to_remit", "hours_left", "mismatched", "owed_back"])]
        insurers: Vec<MoneyOfInsurer>,
        /// Deposits
        #[shown(columns = ["deposit", "insurer", "balance", "low", "waiting", "waiting_amount"])]
        deposits: Vec<MoneyOfDeposit>,
    }
}

answer! {
    /// Open premiums of an insurer
    struct MoneyOfInsurer {
        /// Id of the insurer
        insurer_id: InsurerId,
        /// Name of the insurer
        insurer: Option<String>,
        /// Number of open premiums
        #[shown(label = "open premiums")]
        premiums: usize,
        /// Amount of the premiums that are expected
        #[shown(label = "expected")]
        due: Rupees,
        /// Received amount
        received: Rupees,
        /// Amount that must be paid to the insurer
        to_remit: Rupees,
        /// Full hours that are left to pay it; below zero: since when it is late
        hours_left: Option<i64>,
        /// Amount that was received and matches no premium
        mismatched: Rupees,
        /// Amount that is owed back to payers
        owed_back: Rupees,
    }
}

impl MoneyOfInsurer {
    fn new(insurer_id: InsurerId, insurer: Option<String>) -> Self {
        let none = Rupees::ZERO;
        MoneyOfInsurer {
            insurer_id,
            insurer,
            premiums: 0,
            due: none,
            received: none,
            to_remit: none,
            hours_left: None,
            mismatched: none,
            owed_back: none,
        }
    }

    fn add(&mut self, premium: &ProposalPremium, now: Timestamp) {
        let books = premium.books;
        self.premiums += 1;
        self.due = self.due + books.due;
        self.received = self.received + books.received;
        self.to_remit = self.to_remit + books.to_remit();
        self.mismatched = self.mismatched + books.unsettled;
        self.owed_back = self.owed_back + books.refundable;
        if let Some(since) = premium.held_since {
            let left = ((since + REMIT_WITHIN).as_second() - now.as_second()).div_euclid(3600);
            self.hours_left = Some(self.hours_left.map_or(left, |known| known.min(left)));
        }
    }
}

answer! {
    /// A deposit with the sales that wait for it
    struct MoneyOfDeposit {
        /// Name of the deposit
        deposit: String,
        /// Id of the insurer
        insurer_id: InsurerId,
        /// Name of the insurer
        insurer: Option<String>,
        /// Balance
        balance: Rupees,
        /// Whether it runs low
        low: bool,
        /// Number of sales that wait for money
        #[shown(label = "waiting sales")]
        waiting: usize,
        /// Premiums of these sales
        #[shown(label = "their premiums")]
        waiting_amount: Rupees,
    }
}
