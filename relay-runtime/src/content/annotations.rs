//! Hints on who content is for and how much it matters.

use serde::{Deserialize, Serialize};

/// Hints about how a client should use a piece of content.
///
/// An empty audience and absent fields are left out on the wire.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// Who the content is meant for; empty says nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// From `0.0`, entirely optional, to `1.0`, effectively required.
    ///
    /// A value that is no number is left out on the wire, since JSON has none.
    #[serde(default, skip_serializing_if = "is_unwritable")]
    pub priority: Option<f64>,
    /// When the content was last modified, as an ISO 8601 timestamp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Annotations {
    /// Annotations with no hint set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets who the content is meant for.
    #[must_use]
    pub fn with_audience(mut self, audience: impl Into<Vec<Role>>) -> Self {
        self.audience = audience.into();
        self
    }

    /// Sets the priority: from `0.0`, entirely optional, to `1.0`, effectively required.
    #[must_use]
    pub fn with_priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Sets the time of the last change, an ISO 8601 timestamp such as `2025-01-12T15:00:58Z`.
    #[must_use]
    pub fn with_last_modified(mut self, last_modified: impl Into<String>) -> Self {
        self.last_modified = Some(last_modified.into());
        self
    }
}

/// Who a piece of content is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person who talks to the model.
    User,
    /// The model.
    Assistant,
}

fn is_unwritable(priority: &Option<f64>) -> bool {
    !priority.is_some_and(f64::is_finite)
}
