//! Tools that answer with each kind of content.

use std::f64::consts::TAU;

use relay_runtime::content::{Annotations, ContentBlock, ResourceContents, ResourceLink, Role};
use relay_runtime::{Call, ToolResult};

use crate::Everything;
use crate::tools::{
    Audio, AudioInput, Big, BigInput, Embedded, EmbeddedInput, Image, ImageInput, Link, LinkInput,
};

/// A PNG of one orange pixel: the signature and three chunks, each of a length, a kind, its data and
/// a checksum.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\
    \0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\
    \0\0\0\x0cIDATx\x9cc\xb8\x94)\x07\0\x03j\x01Z[!1/\
    \0\0\0\0IEND\xaeB`\x82";

/// Samples a second.
const RATE: u32 = 8000;

impl Image for Everything {
    async fn image(&self, _call: &Call, _input: ImageInput) -> ToolResult<Vec<ContentBlock>> {
        let audience = Annotations::new().with_audience([Role::User]);
        let image = ContentBlock::image(PNG, "image/png").with_annotations(audience);
        Ok(image.into())
    }
}

impl Audio for Everything {
    async fn audio(&self, _call: &Call, _input: AudioInput) -> ToolResult<Vec<ContentBlock>> {
        Ok(ContentBlock::audio(wav(&tone()), "audio/wav").into())
    }
}

impl Link for Everything {
    async fn link(&self, _call: &Call, _input: LinkInput) -> ToolResult<Vec<ContentBlock>> {
        let link = ResourceLink::new("https://modelcontextprotocol.io/", "mcp")
            .with_title("Model Context Protocol")
            .with_description("Where the protocol is described.")
            .with_mime_type("text/html");
        Ok(ContentBlock::from(link).into())
    }
}

impl Embedded for Everything {
    async fn embedded(&self, _call: &Call, _input: EmbeddedInput) -> ToolResult<Vec<ContentBlock>> {
        let text = ResourceContents::text("everything:///poem.txt", "Roses are red.\n")
            .with_mime_type("text/plain");
        let blob =
            ResourceContents::blob("everything:///pixel.png", PNG).with_mime_type("image/png");
        Ok(vec![ContentBlock::embedded(text), ContentBlock::embedded(blob)].into())
    }
}

impl Big for Everything {
    async fn big(&self, _call: &Call, input: BigInput) -> ToolResult<Vec<ContentBlock>> {
        let text = "x".repeat(usize::try_from(input.bytes)?);
        Ok(ContentBlock::text(text).into())
    }
}

/// A tenth of a second of 440 Hz.
fn tone() -> Vec<u8> {
    let sample = |at: u32| (f64::from(at) * 440.0 * TAU / f64::from(RATE)).sin();
    // In a WAV of 8 bits, 128 is silence.
    (0..RATE / 10)
        .map(|at| (128.0 + 100.0 * sample(at)) as u8)
        .collect()
}

/// A WAV of samples of 8 bits: one channel, without compression.
fn wav(samples: &[u8]) -> Vec<u8> {
    let length = samples.len() as u32;
    let mut wav = Vec::new();
    wav.extend(b"RIFF");
    wav.extend((36 + length).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    wav.extend(16_u32.to_le_bytes()); // the length of this chunk
    wav.extend(1_u16.to_le_bytes()); // no compression
    wav.extend(1_u16.to_le_bytes()); // channels
    wav.extend(RATE.to_le_bytes());
    wav.extend(RATE.to_le_bytes()); // bytes a second
    wav.extend(1_u16.to_le_bytes()); // bytes a sample
    wav.extend(8_u16.to_le_bytes()); // bits a sample
    wav.extend(b"data");
    wav.extend(length.to_le_bytes());
    wav.extend(samples);
    wav
}
