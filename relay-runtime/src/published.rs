//! What of a definition goes into `tools/list`: the generator's text, or a record.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::check::Text;
use crate::content::Meta;
use crate::declaration::{Declaration, ToolAnnotations};

/// A declaration that stays the text that `relay-gen` wrote until somebody changes it.
#[derive(Debug, Clone)]
pub(crate) enum Published {
    Text {
        name: &'static str,
        json: &'static str,
    },
    Record(Box<Declaration>),
}

impl Published {
    pub(crate) fn generated(name: &'static str, json: &'static str) -> Self {
        Self::Text { name, json }
    }

    pub(crate) fn new(name: String, input_schema: &Value, output_schema: Option<&Value>) -> Self {
        Self::Record(Box::new(Declaration {
            name,
            title: None,
            description: None,
            input_schema: raw(input_schema),
            output_schema: output_schema.map(raw),
            annotations: ToolAnnotations::default(),
            icons: Vec::new(),
            meta: Meta::new(),
        }))
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Text { name, .. } => name,
            Self::Record(declaration) => &declaration.name,
        }
    }

    /// The name, to keep.
    #[cfg_attr(not(feature = "server"), expect(dead_code, reason = "for the server"))]
    pub(crate) fn shared_name(&self) -> Text {
        match self {
            Self::Text { name, .. } => Text::T(name),
            Self::Record(declaration) => declaration.name.as_str().into(),
        }
    }

    pub(crate) fn declaration(&self) -> Declaration {
        match self {
            Self::Text { name, json } => parse(name, json),
            Self::Record(declaration) => (**declaration).clone(),
        }
    }

    /// The declaration to change; from here on the record is what is published.
    pub(crate) fn change(&mut self) -> &mut Declaration {
        if let Self::Text { name, json } = self {
            *self = Self::Record(Box::new(parse(name, json)));
        }
        match self {
            Self::Record(declaration) => declaration,
            Self::Text { .. } => unreachable!("made a record above"),
        }
    }

    /// The JSON text of the tool as it is listed.
    #[cfg_attr(not(feature = "server"), expect(dead_code, reason = "for the server"))]
    pub(crate) fn json(&self) -> Cow<'static, str> {
        match self {
            Self::Text { json, .. } => Cow::Borrowed(json),
            // Strings, booleans and JSON texts only: nothing here fails to serialise.
            Self::Record(declaration) => {
                Cow::Owned(serde_json::to_string(declaration).unwrap_or_default())
            }
        }
    }
}

/// A JSON value as text.
pub(crate) fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("a `Value` always has a text")
}

fn parse(name: &str, json: &str) -> Declaration {
    serde_json::from_str(json).unwrap_or_else(|error| {
        panic!("tool `{name}`: the generated declaration was changed and is no tool: {error}")
    })
}
