//! Where `$ref` and `$dynamicRef` lead inside their document.

use super::super::table::{Keyword, List, Text};
use super::super::value::Value;
use super::Compiler;
use super::resources::Resource;
use super::uri::{decode, split_fragment};

impl<'d> Compiler<'d> {
    pub(super) fn reference(&mut self, keyword: &str, value: &'d Value<'d>) -> Option<Keyword> {
        let Value::String(reference) = value else {
            self.error(
                keyword,
                "is no string",
                "write a reference such as \"#/$defs/name\"",
            );
            return None;
        };
        let Some((pointer, anchor)) = self.resolve(reference) else {
            let message = format!("leads to `{reference}`, which is not in this document");
            self.error(keyword, &message, "name a schema of the same document");
            return None;
        };
        let Some(target) = self.target(&pointer) else {
            let message = format!("leads to `{reference}`, where there is nothing");
            self.error(keyword, &message, "name a schema of the same document");
            return None;
        };
        Some(match anchor.filter(|_| keyword == "$dynamicRef") {
            Some(anchor) => Keyword::DynamicRef(Text::from(anchor.as_str()), target),
            None => Keyword::Ref(target),
        })
    }

    /// The pointer that a reference leads to, and the dynamic anchor that it names.
    fn resolve(&self, reference: &str) -> Option<(String, Option<String>)> {
        let here = self.resources.at(&self.pointer)?;
        let (path, fragment) = split_fragment(reference);
        let resource = if path.is_empty() {
            here
        } else {
            self.resources.named(path, here)?
        };
        let fragment = decode(fragment)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return Some((format!("{}{fragment}", resource.pointer), None));
        }
        let pointer = resource.anchors.get(&fragment)?.clone();
        let is_dynamic = resource.dynamic.contains(&fragment);
        Some((pointer, is_dynamic.then_some(fragment)))
    }

    /// The dynamic anchors of the resource that a schema is in, for whoever evaluates it to know.
    pub(super) fn scope(&mut self, pointer: &str) -> Option<Keyword> {
        let anchors = |resource: &Resource| {
            let named = |name: &String| Some((name.clone(), resource.anchors.get(name)?.clone()));
            resource
                .dynamic
                .iter()
                .filter_map(named)
                .collect::<Vec<_>>()
        };
        let anchors = self
            .resources
            .at(pointer)
            .map(anchors)
            .filter(|anchors| !anchors.is_empty())?;
        let targets = anchors
            .iter()
            .filter_map(|(name, pointer)| Some((Text::from(name.as_str()), self.target(pointer)?)));
        Some(Keyword::Scope(List::from(targets.collect::<Vec<_>>())))
    }

    /// Whether a `$id` makes a resource of a schema.
    pub(super) fn is_resource(&self, pointer: &str) -> bool {
        self.resources
            .at(pointer)
            .is_some_and(|resource| resource.pointer == pointer)
    }
}

/// What a JSON Pointer leads to.
pub(super) fn at<'d>(document: &'d Value<'d>, pointer: &str) -> Option<&'d Value<'d>> {
    pointer
        .split('/')
        .skip(1)
        .try_fold(document, |value, token| {
            let token = token.replace("~1", "/").replace("~0", "~");
            match value {
                Value::Array(items) => items.get(token.parse::<usize>().ok()?),
                value => value.get(&token),
            }
        })
}
