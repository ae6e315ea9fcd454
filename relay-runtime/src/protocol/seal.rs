//! Texts that the client keeps for the server: it can read them, but not make or change one.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac_sha256::HMAC;

use crate::paging::Cursors;

/// Seals texts with a key (HMAC-SHA-256).
#[derive(Clone)]
pub(crate) struct Sealer {
    key: Vec<u8>,
}

/// What a text is for: one that is sealed for one thing is nothing for another.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    RequestState,
    Cursor,
}

impl Purpose {
    /// None may begin with another, whose texts could else be read as texts for both.
    fn label(self) -> &'static [u8] {
        match self {
            Self::RequestState => b"relay/1/request-state:",
            Self::Cursor => b"relay/1/cursor:",
        }
    }
}

/// The bytes of a seal.
const SEAL: usize = 32;

impl Sealer {
    /// With the application's key; fails where that is too short to be one.
    pub(crate) fn new(key: &[u8]) -> Result<Self, String> {
        if key.len() < SEAL {
            return Err(format!(
                "the state key has {} bytes, it needs at least {SEAL}",
                key.len()
            ));
        }
        Ok(Self { key: key.to_vec() })
    }

    /// With the key of this process, which no other has; fails where the system has no random
    /// numbers.
    pub(crate) fn of_process() -> Result<Self, String> {
        static KEY: OnceLock<[u8; SEAL]> = OnceLock::new();
        if let Some(key) = KEY.get() {
            return Self::new(key);
        }
        let mut key = [0; SEAL];
        getrandom::fill(&mut key)
            .map_err(|error| format!("the system gives no random numbers: {error}"))?;
        // Another thread may have been faster.
        Self::new(KEY.get_or_init(|| key))
    }

    pub(super) fn seal(&self, purpose: Purpose, text: &[u8]) -> String {
        let mut sealed = self.mac(purpose, text).finalize().to_vec();
        sealed.extend_from_slice(text);
        URL_SAFE_NO_PAD.encode(sealed)
    }

    /// The text, if this is what [`seal`](Self::seal) has made of it.
    pub(super) fn open(&self, purpose: Purpose, sealed: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (seal, text) = bytes.split_first_chunk::<SEAL>()?;
        self.mac(purpose, text)
            .finalize_verify(seal)
            .then(|| text.to_vec())
    }

    fn mac(&self, purpose: Purpose, text: &[u8]) -> HMAC {
        let mut mac = HMAC::new(&self.key);
        mac.update(purpose.label());
        mac.update(text);
        mac
    }
}

impl Cursors for Sealer {
    fn after(&self, tool: &str) -> String {
        self.seal(Purpose::Cursor, tool.as_bytes())
    }

    fn last(&self, cursor: &str) -> Option<String> {
        String::from_utf8(self.open(Purpose::Cursor, cursor)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_for_one_thing_is_nothing_for_another() {
        let sealer = Sealer::of_process().unwrap();
        let cursor = sealer.seal(Purpose::Cursor, b"x");
        assert_eq!(sealer.open(Purpose::Cursor, &cursor), Some(b"x".to_vec()));
        assert_eq!(sealer.open(Purpose::RequestState, &cursor), None);
        let other = Sealer::new(&[1; SEAL]).unwrap();
        assert_eq!(other.open(Purpose::Cursor, &cursor), None);
        // The next connection of this process.
        let next = Sealer::of_process().unwrap();
        assert_eq!(next.open(Purpose::Cursor, &cursor), Some(b"x".to_vec()));
    }
}
