//! Where a `$ref` leads.

use std::sync::Arc;

use super::Contracts;
use super::file::File;
use super::resources::{ById, Resource, Resources};
use super::uri;
use crate::json::{Node, decode_token, encode_token, step};
use crate::source::{FileId, Span};
use relay_runtime::suggest::nearest;

/// What a ref leads to.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The file that it is in.
    pub file: FileId,
    /// The JSON Pointer from the file's root. Together with the file it tells a schema from all others.
    pub pointer: String,
    /// The value there.
    pub node: &'a Node,
}

/// Why a ref leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefError {
    /// It is no string, or no URI reference.
    Malformed {
        /// What is wrong with it.
        reason: String,
    },
    /// It leads out of the directory.
    Network {
        /// The absolute URI.
        uri: String,
    },
    /// It names a file that was not among those read.
    NoFile {
        /// The file.
        path: String,
        /// A file that may have been meant.
        near: Option<String>,
    },
    /// It names a file that could not be read, which has been said already.
    Unread,
    /// The JSON Pointer breaks off.
    NoPointer {
        /// How far it leads.
        found: String,
        /// The token that is not there.
        missing: String,
        /// What is there instead.
        present: Vec<String>,
        /// A token that may have been meant.
        near: Option<String>,
        /// Whether it would lead somewhere from the root of the file, rather than of the schema.
        from_file_root: bool,
    },
    /// There is no such anchor.
    NoAnchor {
        /// The anchor.
        anchor: String,
        /// The anchors that there are.
        present: Vec<String>,
    },
}

impl std::fmt::Display for RefError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Malformed { reason } => f.write_str(reason),
            Self::Network { uri } => write!(f, "it leads out of the directory, to {uri}"),
            Self::NoFile { path, .. } => write!(f, "there is no file {path}"),
            Self::Unread => f.write_str("the file that it names could not be read"),
            Self::NoPointer { found, missing, .. } if found.is_empty() => {
                write!(f, "the schema has no `{missing}`")
            }
            Self::NoPointer { found, missing, .. } => {
                write!(f, "there is no `{missing}` at `#{found}`")
            }
            Self::NoAnchor { anchor, .. } => write!(f, "there is no anchor `{anchor}`"),
        }
    }
}

impl std::error::Error for RefError {}

/// Resolves refs against the resources of the files.
#[derive(Clone, Copy)]
pub(crate) struct Resolver<'a> {
    pub(crate) resources: &'a Resources,
    pub(crate) files: &'a [Option<Arc<File>>],
}

impl<'a> Resolver<'a> {
    fn root(&self, file: FileId) -> Result<&'a Node, RefError> {
        let file = self.files.get(file.0 as usize).and_then(Option::as_ref);
        file.map(|file| &file.root).ok_or(RefError::Unread)
    }

    /// Where a ref leads, from the place where it stands.
    pub(crate) fn resolve(&self, reference: &Node) -> Result<Target<'a>, RefError> {
        let Some(text) = reference.as_str() else {
            return Err(RefError::Malformed {
                reason: format!("it must be a string, but is {}", reference.kind()),
            });
        };
        self.resolve_text(text, reference.span)
    }

    /// Where a ref with this text would lead from a place.
    pub(crate) fn resolve_text(&self, text: &str, from: Span) -> Result<Target<'a>, RefError> {
        let (path, fragment) = uri::split_fragment(text);
        let fragment =
            uri::decode(fragment).ok_or_else(|| malformed("its percent-encoding is broken"))?;
        let here = self.resources.at(from);
        let scope = match here {
            Some(resource) if path.is_empty() => Scope::of(resource),
            Some(resource) => self.scope(&uri::resolve(&resource.uri, path), resource)?,
            None => return Err(malformed("it does not stand in a schema")),
        };
        if fragment.is_empty() || fragment.starts_with('/') {
            self.by_pointer(&scope, &fragment)
        } else {
            self.by_anchor(&scope, &fragment)
        }
    }

    /// The schema or file that an absolute URI names.
    fn scope(&self, absolute: &str, from: &Resource) -> Result<Scope<'a>, RefError> {
        match self.resources.by_id(absolute, from) {
            ById::One(resource) => return Ok(Scope::of(resource)),
            ById::Several => return Err(malformed("several schemas have the `$id` that it names")),
            ById::None => {}
        }
        if let Some(file) = self.resources.file(absolute) {
            let resource = self
                .resources
                .iter()
                .find(|resource| resource.file == file && resource.pointer.is_empty());
            return Ok(Scope {
                file,
                pointer: "",
                resource,
            });
        }
        if self.resources.is_unread(absolute) {
            return Err(RefError::Unread);
        }
        // The metaschemas are named by either scheme.
        if let Some(rest) = absolute.strip_prefix("https://json-schema.org/draft-07/") {
            return self.scope(&format!("http://json-schema.org/draft-07/{rest}"), from);
        }
        if let Some(rest) = absolute.strip_prefix("http://json-schema.org/draft/") {
            return self.scope(&format!("https://json-schema.org/draft/{rest}"), from);
        }
        if absolute.starts_with("file:") {
            return Err(self.no_file(absolute, from));
        }
        Err(RefError::Network {
            uri: absolute.to_owned(),
        })
    }

    fn by_pointer(&self, scope: &Scope<'a>, pointer: &str) -> Result<Target<'a>, RefError> {
        let root = self.root(scope.file)?;
        let mut node = root.pointer(scope.pointer).ok_or(RefError::Unread)?;
        let mut found = String::new();
        let tokens: Option<Vec<_>> = pointer.split('/').skip(1).map(decode_token).collect();
        let tokens = tokens.ok_or_else(|| {
            malformed("in a JSON Pointer `~` must be written `~0`, and `/` in a name `~1`")
        })?;
        for key in tokens {
            let Some(next) = step(node, &key) else {
                let from_file_root = !scope.pointer.is_empty() && root.pointer(pointer).is_some();
                return Err(no_pointer(node, found, key, from_file_root));
            };
            node = next;
            found += &format!("/{}", encode_token(&key));
        }
        Ok(Target {
            file: scope.file,
            pointer: format!("{}{pointer}", scope.pointer),
            node,
        })
    }

    fn by_anchor(&self, scope: &Scope<'a>, anchor: &str) -> Result<Target<'a>, RefError> {
        let anchors = scope.resource.map(|resource| &resource.anchors);
        let pointer = anchors.and_then(|anchors| anchors.get(anchor));
        let Some(pointer) = pointer else {
            return Err(RefError::NoAnchor {
                anchor: anchor.to_owned(),
                present: anchors
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.clone())
                    .collect(),
            });
        };
        let root = self.root(scope.file)?;
        let node = root.pointer(pointer).ok_or(RefError::Unread)?;
        Ok(Target {
            file: scope.file,
            pointer: pointer.clone(),
            node,
        })
    }

    fn no_file(&self, absolute: &str, from: &Resource) -> RefError {
        let base = uri::key(&uri::resolve(&from.uri, "."));
        let missing = uri::key(absolute);
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let files: Vec<&str> = self.resources.file_keys().collect();
        let by_name = |wanted: &str| files.iter().find(|file| name(file) == wanted).copied();
        let names: Vec<String> = files.iter().map(|file| name(file)).collect();
        let near = by_name(&name(&missing))
            .or_else(|| by_name(nearest(&name(&missing), names.iter().map(String::as_str))?));
        RefError::NoFile {
            path: relative(&base, &missing),
            near: near.map(|file| relative(&base, file)),
        }
    }
}

/// The schema or file within which a fragment is looked up.
struct Scope<'a> {
    file: FileId,
    pointer: &'a str,
    resource: Option<&'a Resource>,
}

impl<'a> Scope<'a> {
    fn of(resource: &'a Resource) -> Self {
        Self {
            file: resource.file,
            pointer: &resource.pointer,
            resource: Some(resource),
        }
    }
}

fn malformed(reason: &str) -> RefError {
    RefError::Malformed {
        reason: reason.to_owned(),
    }
}

fn no_pointer(node: &Node, found: String, missing: String, from_file_root: bool) -> RefError {
    let present: Vec<String> = match node.as_array() {
        Some(elements) => (0..elements.len()).map(|at| at.to_string()).collect(),
        None => node
            .as_object()
            .unwrap_or_default()
            .iter()
            .map(|member| encode_token(&member.key))
            .collect(),
    };
    let near = nearest(&missing, present.iter().map(String::as_str)).map(str::to_owned);
    RefError::NoPointer {
        found,
        missing,
        present,
        near,
        from_file_root,
    }
}

/// A file's path as a ref from a directory would write it.
fn relative(directory: &str, file: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (
        directory.trim_end_matches('/').split('/').collect(),
        file.split('/').collect(),
    );
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to[common..].iter().copied())
        .collect::<Vec<_>>()
        .join("/")
}

impl Contracts {
    /// Where a ref leads: `reference` is the string after `$ref` or `$dynamicRef`, and its place in the
    /// file tells the base. For a `$dynamicRef` this is where it leads if nothing overrides it.
    ///
    /// # Errors
    /// If it leads nowhere. That is so for no ref of a contract that was read without error.
    pub fn resolve(&self, reference: &Node) -> Result<Target<'_>, RefError> {
        self.resolver().resolve(reference)
    }

    /// Where a ref with this text would lead from a place.
    ///
    /// # Errors
    /// If it leads nowhere.
    pub fn resolve_text(&self, text: &str, from: Span) -> Result<Target<'_>, RefError> {
        self.resolver().resolve_text(text, from)
    }

    fn resolver(&self) -> Resolver<'_> {
        Resolver {
            resources: &self.resources,
            files: &self.files,
        }
    }
}
