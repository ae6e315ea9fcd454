//! The schemas of schemas, which a `$ref` may name though they are on the network.
//!
//! They are written for Relay: they accept what the drafts' own accept, without the texts.

use super::directory::Listing;
use super::file::File;
use crate::json::{Json, Node};

/// A metaschema's text and where it stands among the others.
struct Metaschema {
    path: &'static str,
    text: &'static str,
}

macro_rules! metaschema {
    ($path:literal, $file:literal) => {
        Metaschema {
            path: $path,
            text: include_str!(concat!("../../metaschemas/", $file, ".json")),
        }
    };
}

const DRAFT_2020_12: &[Metaschema] = &[
    metaschema!("json-schema.org/draft/2020-12/schema", "schema"),
    metaschema!("json-schema.org/draft/2020-12/meta/core", "core"),
    metaschema!(
        "json-schema.org/draft/2020-12/meta/applicator",
        "applicator"
    ),
    metaschema!(
        "json-schema.org/draft/2020-12/meta/unevaluated",
        "unevaluated"
    ),
    metaschema!(
        "json-schema.org/draft/2020-12/meta/validation",
        "validation"
    ),
    metaschema!("json-schema.org/draft/2020-12/meta/meta-data", "meta-data"),
    metaschema!(
        "json-schema.org/draft/2020-12/meta/format-annotation",
        "format-annotation"
    ),
    metaschema!("json-schema.org/draft/2020-12/meta/content", "content"),
];

const DRAFT_07: &[Metaschema] = &[metaschema!("json-schema.org/draft-07/schema", "draft-07")];

/// The metaschemas that the refs of some files name, unless a file has that `$id` itself.
pub(crate) fn named_by<'a>(files: impl Iterator<Item = &'a File> + Clone) -> Listing {
    let mut listing = Listing::default();
    for (set, path) in [
        (DRAFT_2020_12, "json-schema.org/draft/2020-12/"),
        (DRAFT_07, "json-schema.org/draft-07/schema"),
    ] {
        let named = files.clone().any(|file| names(&file.root, path));
        let at_hand = files.clone().any(|file| is_id(file.root.get("$id"), path));
        for metaschema in set.iter().filter(|_| named && !at_hand) {
            listing.add_text(metaschema.path, metaschema.text);
        }
    }
    listing
}

/// Whether a ref anywhere below names something under `path`.
fn names(node: &Node, path: &str) -> bool {
    match &node.value {
        Json::Array(elements) => elements.iter().any(|element| names(element, path)),
        Json::Object(members) => members.iter().any(|member| {
            let is_ref = matches!(&*member.key, "$ref" | "$dynamicRef");
            (is_ref && is_id(Some(&member.value), path)) || names(&member.value, path)
        }),
        _ => false,
    }
}

fn is_id(node: Option<&Node>, path: &str) -> bool {
    let text = node.and_then(Node::as_str);
    let rest = text.and_then(|text| text.split_once("://"));
    rest.is_some_and(|(_, rest)| rest.starts_with(path))
}
