//! Results of calls for older clients.

use std::mem;

use crate::content::{
    Annotations, AudioContent, ContentBlock, Meta, ResourceContents, ResourceLink,
};
use crate::protocol::call_result::CallResult;
use crate::protocol::revision::Revision;

/// Takes out of the result of a call what the revision does not know. Structure that stays behind is
/// still there as text, unless the handler has given other content.
pub(in crate::protocol) fn shape_result(result: &mut CallResult, revision: Revision) {
    if revision.is_modern() {
        return;
    }
    let keeps = |json: &str| revision >= Revision::V2025_06_18 && json.starts_with('{');
    if let Some(structured) = result.structured.take_if(|json| !keeps(json))
        && result.content.is_empty()
    {
        result.content.push(ContentBlock::text(&*structured));
    }
    let blocks = mem::take(&mut result.content).into_iter();
    result.content = blocks.map(|block| known(block, revision)).collect();
}

/// A block without what the revision does not know.
pub(super) fn known(block: ContentBlock, revision: Revision) -> ContentBlock {
    if revision >= Revision::V2025_11_25 {
        return block;
    }
    if revision >= Revision::V2025_06_18 {
        return without_icons(block);
    }
    let block = match block {
        ContentBlock::ResourceLink(link) => link_as_text(link),
        ContentBlock::Audio(audio) if revision < Revision::V2025_03_26 => audio_as_text(&audio),
        block => block,
    };
    without_late_members(block)
}

fn without_icons(mut block: ContentBlock) -> ContentBlock {
    if let ContentBlock::ResourceLink(link) = &mut block {
        link.icons.clear();
    }
    block
}

fn link_as_text(link: ResourceLink) -> ContentBlock {
    text(format!("{}: {}", link.name, link.uri), link.annotations)
}

fn audio_as_text(audio: &AudioContent) -> ContentBlock {
    let said = format!(
        "Audio of {} bytes ({}): this client's version of MCP cannot carry it.",
        audio.data.len(),
        audio.mime_type
    );
    text(said, audio.annotations.clone())
}

fn text(text: String, annotations: Option<Annotations>) -> ContentBlock {
    let block = ContentBlock::text(text);
    match annotations {
        Some(annotations) => block.with_annotations(annotations),
        None => block,
    }
}

/// Takes away the members that came with 2025-06-18.
fn without_late_members(mut block: ContentBlock) -> ContentBlock {
    let (annotations, meta) = match &mut block {
        ContentBlock::Text(block) => (&mut block.annotations, &mut block.meta),
        ContentBlock::Image(block) => (&mut block.annotations, &mut block.meta),
        ContentBlock::Audio(block) => (&mut block.annotations, &mut block.meta),
        ContentBlock::ResourceLink(block) => (&mut block.annotations, &mut block.meta),
        ContentBlock::EmbeddedResource(block) => {
            match &mut block.resource {
                ResourceContents::Text(contents) => contents.meta = Meta::new(),
                ResourceContents::Blob(contents) => contents.meta = Meta::new(),
            }
            (&mut block.annotations, &mut block.meta)
        }
    };
    *meta = Meta::new();
    if let Some(annotations) = annotations {
        annotations.last_modified = None;
    }
    block
}

#[cfg(test)]
mod tests {
    use super::shape_result;
    use crate::buffers::Text;
    use crate::content::text_of;
    use crate::protocol::call_result::CallResult;
    use crate::protocol::revision::Revision;

    #[test]
    fn a_result_that_was_only_structure_becomes_text() {
        let shaped = |revision| {
            let mut result = CallResult {
                content: Vec::new(),
                structured: Some(Text::from_json(br#"{"a":1}"#.to_vec())),
                ..CallResult::failed("")
            };
            shape_result(&mut result, revision);
            result
        };
        let old = shaped(Revision::V2025_03_26);
        assert_eq!(text_of(&old.content), r#"{"a":1}"#);
        assert!(old.structured.is_none());
        let new = shaped(Revision::V2025_06_18);
        assert!(new.content.is_empty() && new.structured.is_some());
    }
}
