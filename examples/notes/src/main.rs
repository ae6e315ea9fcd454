//! Serves a notebook over stdio: `notes FILE`, or `NOTES_FILE=FILE notes`.

use std::error::Error;
use std::ffi::OsString;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use relay_runtime::content::{ContentBlock, ResourceContents};
use relay_runtime::{Call, Server, ToolError, ToolResult, stdio};
use store::Store;
use tools::{
    AddNote, AddNoteInput, DeleteNote, DeleteNoteInput, ExportNotes, ExportNotesInput,
    ExportNotesInputFormat, GetNote, GetNoteInput, ListNotes, ListNotesInput, ListNotesOutput,
    Note, UpdateNote, UpdateNoteInput,
};

mod store;
mod tools {
    relay_runtime::include_tools!();
}

// The handlers read and write the file where they stand. That blocks, but for a millisecond, and
// meanwhile the server reads on and runs other calls: no reason for asynchronous files. Nothing
// awaits while it holds the store's lock.
//
// `?` on an `io::Error` keeps it private: the client reads `Tool execution failed.`, and stderr
// has the cause. That a note is missing is the client's business, so it is published.

impl AddNote for Store {
    async fn add_note(&self, _call: &Call, input: AddNoteInput) -> ToolResult<Note> {
        let created = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let priority = input.priority_or_default();
        let note = self.add(|id| Note {
            id,
            title: input.title,
            body: input.body.unwrap_or_default(),
            tags: input.tags.unwrap_or_default(),
            priority,
            due: input.due.flatten(),
            created,
        })?;
        Ok(note.into())
    }
}

impl GetNote for Store {
    async fn get_note(&self, _call: &Call, input: GetNoteInput) -> ToolResult<Note> {
        let note = self.get(input.id).ok_or_else(|| missing(input.id))?;
        Ok(note.into())
    }
}

impl ListNotes for Store {
    async fn list_notes(&self, _call: &Call, input: ListNotesInput) -> ToolResult<ListNotesOutput> {
        let mut notes = self.find(|note| {
            input.tag.as_ref().is_none_or(|tag| note.tags.contains(tag))
                && input.priority.is_none_or(|wanted| note.priority == wanted)
        });
        let total = notes.len() as u64;
        notes.truncate(usize::try_from(input.limit_or_default())?);
        Ok(ListNotesOutput { notes, total }.into())
    }
}

impl UpdateNote for Store {
    async fn update_note(&self, _call: &Call, input: UpdateNoteInput) -> ToolResult<Note> {
        let updated = self.update(input.id, |note| {
            note.title = input.title.unwrap_or_else(|| note.title.clone());
            note.body = input.body.unwrap_or_else(|| note.body.clone());
            note.tags = input.tags.unwrap_or_else(|| note.tags.clone());
            note.priority = input.priority.unwrap_or(note.priority);
            // `due` may be absent, null or a day: the contract tells them apart, so does the type.
            note.due = input.due.unwrap_or_else(|| note.due.clone());
        })?;
        let note = updated.ok_or_else(|| missing(input.id))?;
        Ok(note.into())
    }
}

impl DeleteNote for Store {
    async fn delete_note(&self, _call: &Call, input: DeleteNoteInput) -> ToolResult<Note> {
        let note = self.remove(input.id)?.ok_or_else(|| missing(input.id))?;
        Ok(note.into())
    }
}

impl ExportNotes for Store {
    async fn export_notes(
        &self,
        _call: &Call,
        input: ExportNotesInput,
    ) -> ToolResult<Vec<ContentBlock>> {
        let notes = self.find(|note| input.tag.as_ref().is_none_or(|tag| note.tags.contains(tag)));
        let document = match input.format_or_default() {
            ExportNotesInputFormat::Markdown => {
                let text: String = notes.iter().map(markdown).collect();
                ResourceContents::text("notes:///export.md", text).with_mime_type("text/markdown")
            }
            ExportNotesInputFormat::Json => {
                let text = serde_json::to_string_pretty(&notes)?;
                ResourceContents::text("notes:///export.json", text)
                    .with_mime_type("application/json")
            }
        };
        let summary = ContentBlock::text(format!("Notes: {}", notes.len()));
        Ok(vec![summary, ContentBlock::embedded(document)].into())
    }
}

fn missing(id: u64) -> ToolError {
    ToolError::message(format!("there is no note {id}"))
}

fn markdown(note: &Note) -> String {
    let Note { title, body, .. } = note;
    let due = note.due.as_ref().map(|day| format!(" (due {day})"));
    let due = due.unwrap_or_default();
    let tags: Vec<_> = note.tags.iter().map(|tag| format!(" #{tag}")).collect();
    let tags = tags.concat();
    format!("# {title}{due}{tags}\n\n{body}\n\n")
}

/// The path of the notebook: the only argument, else the variable `NOTES_FILE`.
fn path() -> Result<OsString, &'static str> {
    let mut arguments = std::env::args_os().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(path), None) => Some(path),
        (None, _) => std::env::var_os("NOTES_FILE"),
        _ => None,
    }
    .filter(|path| !path.is_empty())
    .ok_or("which notebook? Say `notes FILE`, or set NOTES_FILE.")
}

fn run() -> Result<(), Box<dyn Error>> {
    let store = Store::open(path()?)?;
    let server = Server::new("notes", env!("CARGO_PKG_VERSION"))
        .title("Notes")
        .instructions("A notebook. List the notes before you add one: it may be there already.")
        .tools(tools::tools(store));
    Ok(stdio::serve(server, ())?)
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("notes: {error}");
            ExitCode::FAILURE
        }
    }
}
