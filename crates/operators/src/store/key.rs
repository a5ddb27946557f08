//! The store's keys (D4).

use domain::date::Timestamp;
use service::keys::{Key, KeyPurpose};

use crate::act::answer::Done;
use crate::act::input::{input, texts};
use crate::act::progress::Progress;
use crate::act::shown::{answer, words};
use crate::act::{About, Act, Needs, On, Result, get, post};

input! {
    /// List the keys without their secrets
    struct ListKeys {}
}

impl Act for ListKeys {
    const ABOUT: About = get("keys.list", "/keys", &[]).needs(Needs::Store);

    type Answer = Done<Keys>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (keys, now) = (on.service.keys.keys().await?, on.service.installation.now());
        let signs = |key: &&Key| key.purpose == KeyPurpose::Signing && key.retired_at.is_none();
        let done = Done::of(Keys { keys: keys.iter().map(|key| KeyShown::of(key, now)).collect() });
        Ok(match keys.iter().filter(signs).count() {
            0 | 1 => done,
            _ => done.saying("Two signing keys are live; tokens of both are accepted."),
        })
    }
}

input! {
    /// Add a key while servers run; the earlier key stays valid until it is retired. For data and lookup keys,
    /// the command also rewrites every row with the new key and then retires the earlier key; repeat the command
    /// to continue a stopped rotation
    struct RotateKey {
        /// Purpose of the key
        #[flag(is_positional = true)]
        purpose: KeyPurpose = "signing",
    }
}

impl Act for RotateKey {
    const ABOUT: About = post("keys.rotate", "/keys", &[]).irreversible().needs(Needs::Store).in_steps();

    type Answer = Done<KeyRotated>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (keys, purpose) = (&on.service.keys, self.purpose);
        let word = purpose.word();
        let unfinished = if purpose.has_rows() { keys.unfinished(purpose).await? } else { None };
        let (key, goes_on) = match unfinished {
            Some(key) => (key, true),
            None => (keys.rotate(purpose).await?, false),
        };
        let (number, now) = (key.number, on.service.installation.now());
        if !purpose.has_rows() {
            let rotated =
                KeyRotated { rows: None, renewed: None, unreadable: None, key: KeyShown::of(&key, now) };
            return Ok(Done::of(rotated).saying(format!(
                "{word} key {number} is used from {}; run 'keys retire' for the earlier key when nothing made with that key is in use",
                key.active_from
            )));
        }
        let mut progress = Progress::of(RotateKey::ABOUT.name);
        let renewed = keys.renew(&key, &mut |rows, all| progress.tell(rows, Some(all))).await?;
        let mut done = Done::of(KeyRotated {
            rows: Some(renewed.rows),
            renewed: Some(renewed.changed),
            unreadable: Some(renewed.unreadable),
            key: KeyShown::of(&key, now),
        });
        if goes_on {
            done = done.saying(format!("continuing the rotation to {word} key {number}"));
        }
        done = renewed.listed.into_iter().fold(done, Done::saying);
        Ok(match renewed.unreadable {
            0 => done.saying(format!("{} rows now use {word} key {number}; the earlier key is retired", renewed.rows)),
            unreadable => done.refusing(vec![format!(
                "{unreadable} rows cannot be read and are unchanged; the earlier {word} key stays live. 'backup \
                 --verify' lists every damaged row"
            )]),
        })
    }
}

input! {
    /// Retire a key; everything that was made with this key, such as a token, is then refused
    struct RetireKey {
        /// Number of the key, as 'keys list' shows it
        #[flag(is_positional = true)]
        number: u32,
        /// Retire the key even if something made with it, such as a token, may still be in use
        force: bool,
    }
}

impl Act for RetireKey {
    const ABOUT: About = post("keys.retire", "/keys/retirement", &[]).irreversible().needs(Needs::Store);

    type Answer = Done<KeyRetired>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let purpose = on.service.keys.retire(self.number, self.force).await?;
        Ok(Done::of(KeyRetired { number: self.number, purpose }).saying(format!(
            "{} key {} is retired: everything made with this key is refused within 5 seconds",
            purpose.word(),
            self.number
        )))
    }
}

fn state(key: &Key, now: Timestamp) -> &'static str {
    match key {
        Key { retired_at: Some(_), .. } => "retired",
        Key { active_from, .. } if *active_from > now => "coming",
        _ => "live",
    }
}

answer! {
    /// The store's keys
    struct Keys {
        /// Keys, without their secrets
        #[shown(columns = ["number", "purpose", "state", "created_at"])]
        keys: Vec<KeyShown>,
    }
}

answer! {
    /// A key without its secret
    struct KeyShown {
        /// Number of the key
        number: u32,
        /// What the key is for
        purpose: KeyPurpose,
        /// State: live, coming or retired
        state: &'static str,
        /// When it was made
        #[shown(label = "created")]
        created_at: Timestamp,
        /// When it is first used
        active_from: Timestamp,
        /// When it was retired
        retired_at: Option<Timestamp>,
    }
}

answer! {
    /// A key that was added, and the rows that now use it
    struct KeyRotated {
        /// Number of rows that use the key
        rows: Option<u64>,
        /// Number of rows that were changed
        renewed: Option<u64>,
        /// Number of rows that cannot be read
        unreadable: Option<u64>,
    } with {
        key: KeyShown,
    }
}

answer! {
    /// A retired key
    struct KeyRetired {
        /// Number of the key
        number: u32,
        /// What the key was for
        purpose: KeyPurpose,
    }
}

impl KeyShown {
    fn of(key: &Key, now: Timestamp) -> Self {
        let Key { number, purpose, created_at, active_from, retired_at, .. } = *key;
        KeyShown { number, purpose, state: state(key, now), created_at, active_from, retired_at }
    }
}

texts!(KeyPurpose);
words!(KeyPurpose);
