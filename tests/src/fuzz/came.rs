//! What has come, by what the invariants ask of it.

use std::collections::HashMap;

use super::output::{Body, Message, Word};

/// The number of a line, of those that were sent or of those that came.
pub(super) type Place = usize;

/// What has come, and what may be looked up in it.
pub(super) struct Came {
    pub(super) messages: Vec<Message>,
    /// Where each id is answered, but for the answers to garbage.
    pub(super) replies: HashMap<Option<String>, Vec<Place>>,
    /// The answers to what is no JSON or too long.
    pub(super) to_garbage: Vec<Place>,
}

impl Came {
    pub(super) fn new(messages: Vec<Message>) -> Self {
        let mut replies: HashMap<Option<String>, Vec<Place>> = HashMap::new();
        let mut to_garbage = Vec::new();
        for (place, message) in messages.iter().enumerate() {
            if let Message::Reply { id, body } = message {
                if body.is_to_garbage() || body.is_to_length() {
                    to_garbage.push(place);
                } else {
                    replies.entry(id.clone()).or_default().push(place);
                }
            }
        }
        Self {
            messages,
            replies,
            to_garbage,
        }
    }

    pub(super) fn body(&self, place: Place) -> Option<&Body> {
        match &self.messages[place] {
            Message::Reply { body, .. } => Some(body),
            Message::Progress { .. } => None,
        }
    }

    /// The results that our tools gave, with the ids that they went to.
    pub(super) fn words(&self) -> impl Iterator<Item = (Place, &str, &Word)> {
        let messages = self.messages.iter().enumerate();
        messages.filter_map(|(place, message)| match message {
            Message::Reply {
                id: Some(id),
                body: Body::Result(Some(word)),
            } => Some((place, id.as_str(), word)),
            _ => None,
        })
    }
}
