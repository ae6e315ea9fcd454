//! The notes, in memory and in a file.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::tools::Note;

/// A notebook: all handlers share it, so it locks itself.
///
/// The file is read once, so one server at a time may have it.
pub struct Store {
    path: PathBuf,
    book: Mutex<Book>,
}

/// What stands in the file. `Note` is the generated type: the file and the contracts can't differ.
#[derive(Clone, Serialize, Deserialize)]
struct Book {
    next_id: u64,
    notes: Vec<Note>,
}

impl Store {
    /// Reads the notebook; one that is not there yet is empty, and written with its first note.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Box<dyn Error>> {
        let path = path.into();
        let book = match fs::read(&path) {
            Ok(json) => serde_json::from_slice(&json)
                .map_err(|error| format!("{} is no notebook: {error}", path.display()))?,
            Err(error) if error.kind() == ErrorKind::NotFound => new_book(&path)?,
            Err(error) => return Err(format!("cannot read {}: {error}", path.display()).into()),
        };
        let book = Mutex::new(book);
        Ok(Self { path, book })
    }

    pub fn get(&self, id: u64) -> Option<Note> {
        let book = self.lock();
        book.notes.iter().find(|note| note.id == id).cloned()
    }

    /// The notes that fit, the newest first.
    pub fn find(&self, fits: impl Fn(&Note) -> bool) -> Vec<Note> {
        let book = self.lock();
        let notes = book.notes.iter().rev();
        notes.filter(|note| fits(note)).cloned().collect()
    }

    /// Adds the note that is made with a new id.
    pub fn add(&self, make: impl FnOnce(u64) -> Note) -> io::Result<Note> {
        self.change(|book| {
            let note = make(book.next_id);
            book.next_id += 1;
            book.notes.push(note.clone());
            note
        })
    }

    /// Changes a note and returns it as it is then, if it is there.
    pub fn update(&self, id: u64, edit: impl FnOnce(&mut Note)) -> io::Result<Option<Note>> {
        self.change(|book| {
            let note = book.notes.iter_mut().find(|note| note.id == id)?;
            edit(note);
            Some(note.clone())
        })
    }

    /// Removes a note and returns it, if it is there.
    pub fn remove(&self, id: u64) -> io::Result<Option<Note>> {
        self.change(|book| {
            let place = book.notes.iter().position(|note| note.id == id)?;
            Some(book.notes.remove(place))
        })
    }

    /// Changes a copy, saves it, and only then keeps it: what fails to be saved has not happened.
    fn change<T>(&self, edit: impl FnOnce(&mut Book) -> T) -> io::Result<T> {
        let mut book = self.lock();
        let mut changed = book.clone();
        let result = edit(&mut changed);
        save(&self.path, &changed)?;
        *book = changed;
        Ok(result)
    }

    /// A panic under the lock leaves the book whole, see `change`: a poisoned lock is as good.
    fn lock(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn new_book(path: &Path) -> Result<Book, Box<dyn Error>> {
    let directory = path.parent().unwrap_or(path);
    if directory != Path::new("") && !directory.is_dir() {
        return Err(format!("there is no directory {}", directory.display()).into());
    }
    Ok(Book {
        next_id: 1,
        notes: Vec::new(),
    })
}

/// Writes a new file and puts it in the place of the old one: a reader sees the one or the other,
/// also when the machine stops half way.
fn save(path: &Path, book: &Book) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let mut file = File::create(&new)?;
    file.write_all(&serde_json::to_vec_pretty(book)?)?;
    file.sync_all()?;
    fs::rename(&new, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::NotePriority;

    /// A directory of one test, empty at its start.
    fn directory(test: &str) -> PathBuf {
        let name = format!("relay-notes-{}-{test}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir(&directory).expect("a new directory");
        directory
    }

    fn note(title: &str) -> impl FnOnce(u64) -> Note {
        let title = title.to_owned();
        |id| Note {
            id,
            title,
            body: String::new(),
            tags: Vec::new(),
            priority: NotePriority::Normal,
            due: None,
            created: 0,
        }
    }

    #[test]
    fn notes_outlast_the_store() {
        let path = directory("outlast").join("notes.json");
        let store = Store::open(&path).expect("an empty notebook");
        assert!(!path.exists(), "opening writes nothing");
        let milk = store.add(note("milk")).expect("saved");
        let bread = store.add(note("bread")).expect("saved");
        assert_eq!((milk.id, bread.id), (1, 2));

        let again = Store::open(&path).expect("the notebook");
        assert_eq!(again.get(1), Some(milk.clone()));
        assert_eq!(again.find(|_| true), [bread, milk], "the newest first");
        assert!(!path.with_extension("json.new").exists());
    }

    #[test]
    fn an_id_is_given_out_once() {
        let path = directory("ids").join("notes.json");
        let store = Store::open(&path).expect("an empty notebook");
        store.add(note("milk")).expect("saved");
        let removed = store.remove(1).expect("saved");
        assert_eq!(removed.map(|note| note.title), Some("milk".into()));
        let store = Store::open(&path).expect("the notebook");
        assert_eq!(store.add(note("bread")).expect("saved").id, 2);
        assert_eq!(store.get(1), None);
    }

    #[test]
    fn a_missing_note_is_neither_changed_nor_removed() {
        let store = Store::open(directory("missing").join("notes.json")).expect("an empty one");
        let edit = |_: &mut Note| unreachable!("there is no note to change");
        assert_eq!(store.update(7, edit).expect("saved"), None);
        assert_eq!(store.remove(7).expect("saved"), None);
    }

    #[test]
    fn what_is_not_saved_has_not_happened() {
        let directory = directory("unsaved");
        let store = Store::open(directory.join("notes.json")).expect("an empty notebook");
        store.add(note("milk")).expect("saved");
        fs::remove_dir_all(&directory).expect("the directory goes");
        store.add(note("bread")).expect_err("nowhere to save it");
        let edit = |note: &mut Note| note.title = "oat milk".into();
        store.update(1, edit).expect_err("nowhere to save it");
        let titles: Vec<_> = store.find(|_| true).into_iter().map(|n| n.title).collect();
        assert_eq!(titles, ["milk"]);
    }

    #[test]
    fn what_is_no_notebook_is_refused_and_kept() {
        let directory = directory("refused");
        let path = directory.join("notes.json");
        fs::write(&path, "[]").expect("a file");
        let refused = |path: &Path| match Store::open(path) {
            Ok(_) => panic!("{} was opened", path.display()),
            Err(error) => error.to_string(),
        };
        assert!(refused(&path).contains("notes.json is no notebook: "));
        assert_eq!(fs::read_to_string(&path).expect("the file"), "[]");
        assert!(refused(&directory).starts_with("cannot read "));
        let nowhere = directory.join("no/notes.json");
        assert!(refused(&nowhere).starts_with("there is no directory "));
    }
}
