//! JSON Pointers (RFC 6901).

use super::{Json, Node};

/// A reference token of a JSON Pointer as the key it stands for: `~1` is `/`, `~0` is `~`.
/// `None` for a `~` with anything else behind it.
#[must_use]
pub fn decode_token(token: &str) -> Option<String> {
    let mut key = String::with_capacity(token.len());
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        key.push(match character {
            '~' => match characters.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            other => other,
        });
    }
    Some(key)
}

/// A key as a reference token of a JSON Pointer.
#[must_use]
pub fn encode_token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// One step down: a member's value or, for an index as the RFC writes it, an element.
pub(crate) fn step<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    match &node.value {
        Json::Object(_) => node.get(key),
        Json::Array(elements) => {
            let plain = key == "0" || !key.starts_with(['0', '+']);
            elements.get(key.parse::<usize>().ok().filter(|_| plain)?)
        }
        _ => None,
    }
}

/// The value at `pointer` under `node`.
pub(super) fn find<'a>(node: &'a Node, pointer: &str) -> Option<&'a Node> {
    if pointer.is_empty() {
        return Some(node);
    }
    pointer
        .strip_prefix('/')?
        .split('/')
        .try_fold(node, |node, token| step(node, &decode_token(token)?))
}
