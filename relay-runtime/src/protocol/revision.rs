//! The revisions of MCP that are served.

/// A revision of MCP; a later one is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Revision {
    /// All of them, in their order.
    pub(super) const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The newest that has a handshake.
    pub(super) const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// Those where every request names its version, the newest first.
    pub(super) fn modern() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().rev().filter(|it| it.is_modern())
    }

    /// Those that start with `initialize`, the newest first.
    pub(super) fn legacy() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().rev().filter(|it| !it.is_modern())
    }

    /// Whether every request names its version, instead of one handshake for all.
    pub(crate) fn is_modern(self) -> bool {
        self > Self::NEWEST_LEGACY
    }

    /// Its name on the wire: the day of its release.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }
}

/// The names of revisions, in a message.
pub(super) fn names(revisions: impl Iterator<Item = Revision>) -> String {
    revisions.map(Revision::name).collect::<Vec<_>>().join(", ")
}
