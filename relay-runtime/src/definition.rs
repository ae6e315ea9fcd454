//! A tool's contract: its name, what is published of it, and how its values cross the wire.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::buffers::Text;
use crate::check::Violations;
use crate::check::typed::Checked;
use crate::codec::Codec;
use crate::codegen::Contract;
use crate::content::{ContentBlock, Icon, Meta};
use crate::declaration::{Declaration, ToolAnnotations};
use crate::define_error::{
    DefineError, check_input_schema, check_name, check_output_schema, compile,
};
use crate::published::Published;
#[cfg(feature = "server")]
use crate::tool::{Parts, Results};

/// A tool's contract, with the Rust types of its arguments `I` and of its result `O`.
///
/// The same value serves the server, which binds a handler to it with `handle`, and a client,
/// which encodes arguments and decodes results with it.
///
/// `relay-gen` writes definitions from contracts, with a table that checks every value. One made by
/// hand, with the functions below, has such a table where the feature `dynamic` is on: then the
/// schemas are compiled, and decide. Without it serde alone decodes, and whatever serde accepts
/// reaches the handler, even where the published schema would forbid it: derive `Deserialize` with
/// `deny_unknown_fields`, and check ranges in the handler.
///
/// ```
/// use relay_runtime::Definition;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(Serialize, Deserialize)]
/// struct Add { a: i64, b: i64 }
///
/// #[derive(Serialize, Deserialize)]
/// struct Sum { sum: i64 }
///
/// let add: Definition<Add, Sum> = Definition::new(
///     "add",
///     json!({
///         "type": "object",
///         "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
///         "required": ["a", "b"]
///     }),
///     json!({ "type": "object", "properties": { "sum": { "type": "integer" } } }),
/// )
/// .with_description("Adds two integers.")
/// .with_read_only_hint(true);
///
/// assert_eq!(add.name(), "add");
/// assert_eq!(add.encode_input(&Add { a: 1, b: 2 }).unwrap().get(), r#"{"a":1,"b":2}"#);
/// ```
pub struct Definition<I, O = Vec<ContentBlock>> {
    published: Published,
    input: Codec<I>,
    output: Codec<O>,
    /// How a result becomes blocks, where it is nothing but blocks.
    blocks: Option<fn(O) -> Vec<ContentBlock>>,
    required_client_capabilities: Vec<String>,
    timeout: Option<Duration>,
}

impl<I, O> Definition<I, O>
where
    I: Serialize + DeserializeOwned,
    O: Serialize + DeserializeOwned,
{
    /// A tool with a structured result.
    ///
    /// # Panics
    ///
    /// With the tool's name and what is wrong, where [`try_new`](Self::try_new) gives an error:
    /// definitions are written in source code.
    #[track_caller]
    pub fn new(name: impl Into<String>, input_schema: Value, output_schema: Value) -> Self {
        or_panic(Self::try_new(name, input_schema, output_schema))
    }

    /// A tool with a structured result, for definitions built from data.
    ///
    /// # Errors
    ///
    /// A name that is empty, over 128 characters or outside `A-Z a-z 0-9 _ . -`; an input schema
    /// whose root is not `"type": "object"`; an output schema that is no JSON object; with the
    /// feature `dynamic` also a schema that can't be checked.
    pub fn try_new(
        name: impl Into<String>,
        input_schema: Value,
        output_schema: Value,
    ) -> Result<Self, DefineError> {
        let name = name.into();
        check_name(&name)?;
        check_input_schema(&name, &input_schema)?;
        check_output_schema(&name, &output_schema)?;
        let input = compile(&name, "input", &input_schema)?;
        let output = compile(&name, "output", &output_schema)?;
        Ok(Self {
            published: Published::new(name, &input_schema, Some(&output_schema)),
            input: Codec::new(input),
            output: Codec::new(output),
            blocks: None,
            required_client_capabilities: Vec::new(),
            timeout: None,
        })
    }
}

impl<I: Serialize + DeserializeOwned> Definition<I> {
    /// A tool whose result is only content blocks.
    ///
    /// # Panics
    ///
    /// With the tool's name and what is wrong, where [`try_content`](Self::try_content) gives an
    /// error.
    #[track_caller]
    pub fn content(name: impl Into<String>, input_schema: Value) -> Self {
        or_panic(Self::try_content(name, input_schema))
    }

    /// A tool whose result is only content blocks, for definitions built from data.
    ///
    /// # Errors
    ///
    /// As [`try_new`](Self::try_new) of the name and the input schema.
    pub fn try_content(name: impl Into<String>, input_schema: Value) -> Result<Self, DefineError> {
        let name = name.into();
        check_name(&name)?;
        check_input_schema(&name, &input_schema)?;
        let input = compile(&name, "input", &input_schema)?;
        Ok(Self {
            published: Published::new(name, &input_schema, None),
            input: Codec::new(input),
            output: Codec::new(None),
            blocks: Some(|blocks| blocks),
            required_client_capabilities: Vec::new(),
            timeout: None,
        })
    }
}

/// What relay-gen writes.
impl<I, O> Definition<I, O>
where
    I: Serialize + DeserializeOwned + Checked,
    O: Serialize + DeserializeOwned + Checked,
{
    pub(crate) fn generated(contract: &'static Contract) -> Self {
        Self {
            published: Published::generated(contract.name, contract.declaration),
            input: Codec::checked(Some(contract.input.clone())),
            output: Codec::checked(contract.output.clone()),
            blocks: None,
            required_client_capabilities: owned(contract.required_client_capabilities),
            timeout: contract.timeout_ms.map(Duration::from_millis).map(clamped),
        }
    }
}

impl<I: Serialize + DeserializeOwned + Checked> Definition<I> {
    pub(crate) fn generated_content(contract: &'static Contract) -> Self {
        Self {
            blocks: Some(|blocks| blocks),
            ..Self::generated(contract)
        }
    }
}

/// What is published of the tool.
impl<I, O> Definition<I, O> {
    /// The tool's name.
    pub fn name(&self) -> &str {
        self.published.name()
    }

    /// What `tools/list` publishes for this definition.
    ///
    /// # Panics
    ///
    /// Where generated code was changed by hand so that its declaration is no tool any more.
    pub fn declaration(&self) -> Declaration {
        self.published.declaration()
    }

    /// The client capabilities that a call needs.
    pub fn required_client_capabilities(&self) -> &[String] {
        &self.required_client_capabilities
    }

    /// Sets the name that people see.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        let title = title.into();
        self.declare(|declaration| declaration.title = Some(title))
    }

    /// Sets what a model reads to choose the tool.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Self {
        let description = description.into();
        self.declare(|declaration| declaration.description = Some(description))
    }

    /// Publishes `readOnlyHint`: whether the tool leaves its surroundings as they are.
    #[must_use]
    pub fn with_read_only_hint(self, hint: bool) -> Self {
        self.annotate(|annotations| annotations.read_only_hint = Some(hint))
    }

    /// Publishes `destructiveHint`: whether the tool may destroy data.
    #[must_use]
    pub fn with_destructive_hint(self, hint: bool) -> Self {
        self.annotate(|annotations| annotations.destructive_hint = Some(hint))
    }

    /// Publishes `idempotentHint`: whether calling again changes nothing more.
    #[must_use]
    pub fn with_idempotent_hint(self, hint: bool) -> Self {
        self.annotate(|annotations| annotations.idempotent_hint = Some(hint))
    }

    /// Publishes `openWorldHint`: whether the tool reaches outside systems.
    #[must_use]
    pub fn with_open_world_hint(self, hint: bool) -> Self {
        self.annotate(|annotations| annotations.open_world_hint = Some(hint))
    }

    /// Replaces the icons that a client may show for the tool.
    #[must_use]
    pub fn with_icons(self, icons: impl Into<Vec<Icon>>) -> Self {
        let icons = icons.into();
        self.declare(|declaration| declaration.icons = icons)
    }

    /// Replaces the members of the declaration's `_meta`.
    #[must_use]
    pub fn with_meta(self, meta: Meta) -> Self {
        self.declare(|declaration| declaration.meta = meta)
    }

    /// Names client capabilities that a call needs, such as `elicitation`.
    ///
    /// A part of a capability is named after a dot: `sampling.tools`, `elicitation.url`. A call
    /// of a client that does not declare them is refused with MCP's error -32021 before the
    /// handler runs (spec page `basic/index`).
    #[must_use]
    pub fn with_required_client_capabilities<S: Into<String>>(
        mut self,
        capabilities: impl IntoIterator<Item = S>,
    ) -> Self {
        self.required_client_capabilities = capabilities.into_iter().map(Into::into).collect();
        self
    }

    /// Sets how long the handler may take, instead of the server's `Limits::with_handler_timeout`:
    /// from 1 ms to 24 h, the nearest of them if it is outside. It is not published.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(clamped(timeout));
        self
    }

    /// Publishes another input schema than the one the definition was made with.
    ///
    /// What decides over a call does not change: the table of a generated definition, serde for
    /// one made by hand. A model that follows a published schema that is looser than that will
    /// have calls refused.
    ///
    /// # Panics
    ///
    /// With the tool's name, when the root of the schema is not `"type": "object"`.
    #[must_use]
    #[track_caller]
    pub fn with_input_schema(self, input_schema: Value) -> Self {
        or_panic(check_input_schema(self.name(), &input_schema));
        self.declare(|declaration| declaration.input_schema = crate::published::raw(&input_schema))
    }

    fn annotate(self, change: impl FnOnce(&mut ToolAnnotations)) -> Self {
        self.declare(|declaration| change(&mut declaration.annotations))
    }

    fn declare(mut self, change: impl FnOnce(&mut Declaration)) -> Self {
        change(self.published.change());
        self
    }
}

/// How the values of the tool cross the wire.
impl<I, O> Definition<I, O> {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    ///
    /// All that they break of the input schema; without a table, what serde has to say.
    pub fn decode_input(&self, json: &RawValue) -> Result<I, Violations> {
        self.input.decode(json.get())
    }

    /// Writes the arguments of a call.
    ///
    /// # Errors
    ///
    /// All that they break of the input schema; without a table, what serde has to say.
    pub fn encode_input(&self, input: &I) -> Result<Box<RawValue>, Violations> {
        self.input.encode(input).map(raw_text)
    }

    /// Reads a result: the `structuredContent`, or the `content` of a content-only tool.
    ///
    /// # Errors
    ///
    /// All that it breaks of the output schema; without a table, what serde has to say.
    pub fn decode_output(&self, json: &RawValue) -> Result<O, Violations> {
        self.output.decode(json.get())
    }

    /// Writes a result: the `structuredContent`, or the `content` of a content-only tool.
    ///
    /// # Errors
    ///
    /// All that it breaks of the output schema; without a table, what serde has to say.
    pub fn encode_output(&self, output: &O) -> Result<Box<RawValue>, Violations> {
        self.output.encode(output).map(raw_text)
    }
}

#[cfg(feature = "server")]
impl<I, O> Definition<I, O> {
    pub(crate) fn into_parts(self) -> Parts<I, O> {
        Parts {
            published: self.published,
            arguments: self.input.into_decoder(),
            results: Results {
                encoder: self.output.into_encoder(),
                blocks: self.blocks,
            },
            required_client_capabilities: self.required_client_capabilities,
            timeout: self.timeout,
        }
    }
}

impl<I, O> Clone for Definition<I, O> {
    fn clone(&self) -> Self {
        Self {
            published: self.published.clone(),
            input: self.input.clone(),
            output: self.output.clone(),
            blocks: self.blocks,
            required_client_capabilities: self.required_client_capabilities.clone(),
            timeout: self.timeout,
        }
    }
}

impl<I, O> fmt::Debug for Definition<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition")
            .field("name", &self.name())
            .field("input", &self.input)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

#[track_caller]
fn or_panic<T>(result: Result<T, DefineError>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// JSON text that a codec has written.
fn raw_text(json: Text) -> Box<RawValue> {
    RawValue::from_string(json.into_string()).expect("a codec writes JSON")
}

/// A time that can be added to a clock's.
fn clamped(timeout: Duration) -> Duration {
    timeout.clamp(Duration::from_millis(1), Duration::from_secs(24 * 3600))
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
