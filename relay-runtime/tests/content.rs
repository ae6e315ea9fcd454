//! Blocks cross the wire and come back the same.

use relay_runtime::content::{
    Annotations, ContentBlock, Icon, IconTheme, Meta, ResourceContents, ResourceLink, Role, text_of,
};
use serde_json::{Value, json};

fn meta() -> Meta {
    Meta::from_iter([("example.com/a".to_owned(), json!({"deep": [1, 2.5, null]}))])
}

/// Every block with none of its optional members, and with all of them, beside its JSON.
fn examples() -> Vec<(ContentBlock, Value)> {
    let annotations = Annotations::new()
        .with_audience([Role::User, Role::Assistant])
        .with_priority(0.25)
        .with_last_modified("2025-01-12T15:00:58Z");
    let icon = Icon::new("data:image/png;base64,AA==")
        .with_mime_type("image/png")
        .with_sizes(["48x48", "any"])
        .with_theme(IconTheme::Light);
    let link = ResourceLink::new("file:///a", "a")
        .with_title("A")
        .with_description("The first.")
        .with_mime_type("text/plain")
        .with_size(u64::MAX)
        .with_annotations(annotations.clone())
        .with_icons([icon, Icon::new("https://example.com/i")])
        .with_meta(meta());
    let notes = json!({
        "audience": ["user", "assistant"],
        "priority": 0.25,
        "lastModified": "2025-01-12T15:00:58Z"
    });
    let full = |block: ContentBlock| {
        block
            .with_annotations(annotations.clone())
            .with_meta(meta())
    };
    vec![
        (ContentBlock::text(""), json!({"type": "text", "text": ""})),
        (
            full(ContentBlock::text("a")),
            json!({"type": "text", "text": "a", "annotations": notes, "_meta": meta()}),
        ),
        (
            ContentBlock::image([], "image/png"),
            json!({"type": "image", "data": "", "mimeType": "image/png"}),
        ),
        (
            full(ContentBlock::image([0, 1, 254, 255], "image/png")),
            json!({
                "type": "image", "data": "AAH+/w==", "mimeType": "image/png",
                "annotations": notes, "_meta": meta()
            }),
        ),
        (
            full(ContentBlock::audio([0, 1, 254], "audio/wav")),
            json!({
                "type": "audio", "data": "AAH+", "mimeType": "audio/wav",
                "annotations": notes, "_meta": meta()
            }),
        ),
        (
            ContentBlock::resource_link("file:///a", "a"),
            json!({"type": "resource_link", "uri": "file:///a", "name": "a"}),
        ),
        (
            link.into(),
            json!({
                "type": "resource_link", "uri": "file:///a", "name": "a", "title": "A",
                "description": "The first.", "mimeType": "text/plain", "size": u64::MAX,
                "annotations": notes, "_meta": meta(),
                "icons": [
                    {
                        "src": "data:image/png;base64,AA==", "mimeType": "image/png",
                        "sizes": ["48x48", "any"], "theme": "light"
                    },
                    {"src": "https://example.com/i"}
                ]
            }),
        ),
        (
            ContentBlock::embedded(ResourceContents::text("file:///t", "t")),
            json!({"type": "resource", "resource": {"uri": "file:///t", "text": "t"}}),
        ),
        (
            full(ContentBlock::embedded(
                ResourceContents::blob("file:///b", [255])
                    .with_mime_type("application/octet-stream")
                    .with_meta(meta()),
            )),
            json!({
                "type": "resource",
                "resource": {
                    "uri": "file:///b", "blob": "/w==",
                    "mimeType": "application/octet-stream", "_meta": meta()
                },
                "annotations": notes, "_meta": meta()
            }),
        ),
    ]
}

#[test]
fn encoding_and_decoding_are_inverse() {
    for (block, json) in examples() {
        assert_eq!(serde_json::to_value(&block).expect("it encodes"), json);
        assert_eq!(
            ContentBlock::deserialize(&json),
            Ok(block.clone()),
            "{json}"
        );
        let text = serde_json::to_string(&block).expect("it encodes");
        assert_eq!(
            serde_json::from_str::<ContentBlock>(&text).expect("it decodes"),
            block
        );
    }
}

/// Decoding with the error as text, to compare it.
trait Decode: Sized {
    fn deserialize(json: &Value) -> Result<Self, String>;
}

impl Decode for ContentBlock {
    fn deserialize(json: &Value) -> Result<Self, String> {
        serde_json::from_value(json.clone()).map_err(|error| error.to_string())
    }
}

#[test]
fn what_is_no_block_is_refused() {
    for (json, error) in [
        (json!({"text": "a"}), "missing field `type`"),
        (
            json!({"type": "text"}),
            "a block of type `text` needs `text`",
        ),
        (
            json!({"type": "image", "data": ""}),
            "a block of type `image` needs `mimeType`",
        ),
        (
            json!({"type": "audio", "mimeType": "a/b"}),
            "a block of type `audio` needs `data`",
        ),
        (
            json!({"type": "resource_link", "uri": "a:b"}),
            "a block of type `resource_link` needs `name`",
        ),
        (
            json!({"type": "resource"}),
            "a block of type `resource` needs `resource`",
        ),
        (
            json!({"type": "resource", "resource": {"uri": "a:b"}}),
            "a resource needs `text` or `blob`",
        ),
        (
            json!({"type": "resource", "resource": {"uri": "a:b", "text": "", "blob": ""}}),
            "a resource has `text` or `blob`, not both",
        ),
        (
            json!({"type": "video"}),
            "unknown content type `video`, expected `text`, `image`, `audio`, `resource_link` or \
             `resource`",
        ),
        (
            json!({"type": "image", "data": "a?", "mimeType": "a/b"}),
            "not base64: Invalid symbol 63, offset 1.",
        ),
    ] {
        assert_eq!(ContentBlock::deserialize(&json), Err(error.to_owned()));
    }
}

#[test]
fn base64_is_read_with_and_without_padding() {
    for data in ["iVBORw==", "iVBORw"] {
        let json = json!({"type": "image", "data": data, "mimeType": "image/png"});
        let block = ContentBlock::image([137, 80, 78, 71], "image/png");
        assert_eq!(ContentBlock::deserialize(&json), Ok(block));
    }
}

#[test]
fn a_priority_that_json_cannot_write_is_left_out() {
    let annotations = Annotations::new().with_priority(f64::NAN);
    assert_eq!(
        serde_json::to_value(annotations).expect("it encodes"),
        json!({})
    );
}

#[test]
fn the_text_of_blocks_is_that_of_the_text_blocks() {
    let blocks = [
        ContentBlock::text("a"),
        ContentBlock::image([1], "image/png"),
        ContentBlock::embedded(ResourceContents::text("file:///t", "not this")),
        ContentBlock::text("b"),
    ];
    assert_eq!(text_of(&blocks), "a\nb");
    assert_eq!(text_of(&[]), "");
}
