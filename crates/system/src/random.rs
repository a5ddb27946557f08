//! Random bytes from the operating system.

use std::cell::RefCell;

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use ports::clock::Random;

pub struct OsRandom(SystemRandom);

impl Default for OsRandom {
    fn default() -> Self {
        OsRandom(SystemRandom::new())
    }
}

impl OsRandom {
    fn draw(&self, bytes: &mut [u8]) {
        self.0.fill(bytes).expect("the system's random generator does not fail once it is seeded");
    }
}

impl Random for OsRandom {
    /// Ids and nonces come from a buffer of the thread, because drawing 8 bytes costs as much as drawing
    /// hundreds. A cloned machine may have the same buffer. This is harmless, because ids also contain the
    /// time, and sealing needs no unique nonce. Keys, secrets and codes are never taken from the buffer.
    fn fill(&self, bytes: &mut [u8]) {
        if !matches!(bytes.len(), ID | NONCE) {
            return self.draw(bytes);
        }
        ENTROPY.with_borrow_mut(|EntropyBuffer { bytes: buffer, left }| {
            if *left < bytes.len() {
                self.draw(buffer);
                *left = buffer.len();
            }
            let taken = &mut buffer[*left - bytes.len()..*left];
            bytes.copy_from_slice(taken);
            // Used bytes must not remain in the buffer.
            taken.fill(0);
            *left -= bytes.len();
        });
    }
}

/// Number of random bytes in an id.
const ID: usize = 8;

/// Number of random bytes in a nonce.
const NONCE: usize = 12;

/// Random bytes that a thread has drawn in advance.
struct EntropyBuffer {
    bytes: [u8; 1024],
    left: usize,
}

thread_local! {
    static ENTROPY: RefCell<EntropyBuffer> = const { RefCell::new(EntropyBuffer { bytes: [0; 1024], left: 0 }) };
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::*;

    #[test]
    fn random_bytes_never_repeat() {
        let random = Arc::new(OsRandom::default());
        let mut seen = HashSet::new();
        for length in [8, 12, 16, 12, 32, 8] {
            let draw = move |random: Arc<OsRandom>| -> Vec<Vec<u8>> {
                let draw = |_| {
                    let mut bytes = vec![0; length];
                    random.fill(&mut bytes);
                    bytes
                };
                (0..500).map(draw).collect()
            };
            let elsewhere = random.clone();
            let elsewhere = std::thread::spawn(move || draw(elsewhere)).join().expect("draws");
            for bytes in draw(random.clone()).into_iter().chain(elsewhere) {
                assert!(bytes.iter().any(|byte| *byte != 0));
                // The first eight bytes identify a draw of any length.
                assert!(seen.insert(bytes[..8].to_vec()));
            }
        }
    }
}
