//! Finding and reading the files of a directory.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::uri;
use crate::diagnostics::{Diagnostic, Diagnostics, Place};

/// A file larger than this is refused: places are 32-bit offsets, and no contract comes near it.
const MAX_BYTES: u64 = 64 << 20;

/// A file's text and where it is.
#[derive(Hash)]
pub(crate) struct Found {
    /// The path that messages show.
    pub(crate) path: String,
    pub(crate) text: String,
    /// Where the text, read with replacement characters, was not UTF-8.
    pub(crate) invalid_at: Option<usize>,
    pub(crate) module: Vec<String>,
    pub(crate) stem: String,
    pub(crate) uri: String,
}

/// Everything that was found.
#[derive(Default, Hash)]
pub(crate) struct Listing {
    pub(crate) files: Vec<Found>,
    /// The URIs of files that are there but cannot be read.
    pub(crate) unread: Vec<String>,
    /// Every directory and file that was looked at.
    pub(crate) paths: Vec<PathBuf>,
    /// The root directories as they were given.
    pub(crate) roots: Vec<String>,
}

impl Listing {
    /// Takes in a text under a path relative to an imagined root.
    pub(crate) fn add_text(&mut self, path: &str, text: &str) {
        let mut module: Vec<String> = path.split('/').map(str::to_owned).collect();
        let name = module.pop().unwrap_or_default();
        self.files.push(Found {
            path: path.to_owned(),
            text: text.to_owned(),
            invalid_at: None,
            module,
            stem: stem(&name),
            uri: uri::of_file(path),
        });
    }
}

/// Reads the directories one after the other, each in the order of its paths.
pub(crate) fn read<P: AsRef<Path>>(roots: &[P], diagnostics: &mut Diagnostics) -> Listing {
    let mut walk = Walk {
        listing: Listing::default(),
        entered: Vec::new(),
        diagnostics,
    };
    for root in roots {
        walk.root(root.as_ref());
    }
    walk.listing
}

struct Walk<'a> {
    listing: Listing,
    /// The true paths of the roots and of all directories that a link led to. Whatever lies below one
    /// of them has been read.
    entered: Vec<(PathBuf, String)>,
    diagnostics: &'a mut Diagnostics,
}

/// A directory on the way down.
struct Directory {
    path: PathBuf,
    shown: String,
    module: Vec<String>,
}

impl Walk<'_> {
    fn root(&mut self, root: &Path) {
        let shown = root.to_string_lossy().into_owned();
        self.listing.roots.push(shown.clone());
        match fs::metadata(root) {
            Err(error) => {
                let message = format!("the directory {shown:?} cannot be read: {}", reason(&error));
                return self.report("no-directory", &shown, message);
            }
            Ok(metadata) if !metadata.is_dir() => {
                let message = format!("{shown:?} is a file, where a directory is expected");
                return self.report("no-directory", &shown, message);
            }
            Ok(_) => {}
        }
        let directory = Directory {
            path: root.to_owned(),
            shown: shown.trim_end_matches(['/', '\\']).to_owned(),
            module: Vec::new(),
        };
        if self.enter(&directory) {
            self.directory(&directory);
        }
    }

    /// Notes a root, or the end of a link; false if it has been read, or would be read again.
    fn enter(&mut self, directory: &Directory) -> bool {
        let Ok(real) = fs::canonicalize(&directory.path) else {
            return true;
        };
        let overlapping = self
            .entered
            .iter()
            .find(|(other, _)| real.starts_with(other) || other.starts_with(&real));
        if let Some((_, other)) = overlapping {
            let message = format!(
                "the directory {:?} overlaps with {other:?}, which is read already",
                directory.shown
            );
            self.report("repeated-directory", &directory.shown, message);
            return false;
        }
        self.entered.push((real, directory.shown.clone()));
        true
    }

    fn directory(&mut self, directory: &Directory) {
        self.listing.paths.push(directory.path.clone());
        let names = fs::read_dir(&directory.path)
            .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect());
        let mut names: Vec<_> = match names {
            Ok(names) => names,
            Err(error) => {
                let message = format!("this directory cannot be read: {}", reason(&error));
                return self.report("unreadable", &directory.shown, message);
            }
        };
        names.sort();
        for name in names {
            let path = directory.path.join(&name);
            let name = name.to_string_lossy().into_owned();
            if !name.starts_with('.') {
                self.entry(directory, path, name);
            }
        }
    }

    fn entry(&mut self, parent: &Directory, path: PathBuf, name: String) {
        let shown = format!("{}/{name}", parent.shown);
        let is_json = name.ends_with(".json");
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if is_json => return self.unreadable(&path, &shown, &reason(&error)),
            Err(_) => return,
        };
        if metadata.is_dir() {
            let mut module = parent.module.clone();
            module.push(name);
            let directory = Directory {
                path,
                shown,
                module,
            };
            // Only a link can lead back to what has been read.
            if !directory.path.is_symlink() || self.enter(&directory) {
                self.directory(&directory);
            }
        } else if is_json && !metadata.is_file() {
            self.unreadable(&path, &shown, "it is no regular file");
        } else if is_json && metadata.len() > MAX_BYTES {
            self.unreadable(&path, &shown, "it is larger than 64 MiB");
        } else if is_json {
            self.file(parent, path, shown, &name);
        }
    }

    fn file(&mut self, parent: &Directory, path: PathBuf, shown: String, name: &str) {
        self.listing.paths.push(path.clone());
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => return self.unreadable(&path, &shown, &reason(&error)),
        };
        let invalid_at = std::str::from_utf8(&bytes)
            .err()
            .map(|error| error.valid_up_to());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        self.listing.files.push(Found {
            path: shown,
            text,
            invalid_at,
            module: parent.module.clone(),
            stem: stem(name),
            uri: file_uri(&path),
        });
    }

    fn unreadable(&mut self, path: &Path, shown: &str, reason: &str) {
        let message = format!("this file cannot be read: {reason}");
        self.report("unreadable", shown, message);
        self.listing.unread.push(file_uri(path));
    }

    fn report(&mut self, rule: &str, shown: &str, message: String) {
        let place = Place::Path(shown.to_owned());
        self.diagnostics.push(Diagnostic::at(rule, place, message));
    }
}

/// What the system says, without its error number, which differs between systems.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_owned()
        }
    }
}

fn stem(name: &str) -> String {
    name.strip_suffix(".json").unwrap_or(name).to_owned()
}

fn file_uri(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut parts: Vec<String> = Vec::new();
    for component in absolute.components() {
        match component {
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            part => parts.push(part.as_os_str().to_string_lossy().into_owned()),
        }
    }
    uri::of_file(&parts.join("/"))
}
