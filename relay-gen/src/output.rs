//! The only module that writes files.

use std::fs;
use std::io;
use std::path::Path;

use crate::generate::Files;

/// Writes the files into a directory; a file that has these bytes already is left alone, so that
/// nothing is rebuilt for it.
///
/// # Errors
///
/// If a file can't be read or written.
pub fn write(files: &Files, directory: &Path) -> io::Result<()> {
    for (name, bytes) in files {
        write_if_changed(&directory.join(name), bytes)?;
    }
    Ok(())
}

/// Writes a file, and the directories around it, unless it has these bytes already; says whether
/// it wrote.
///
/// # Errors
///
/// If the file can't be read or written.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match fs::read(path) {
        Ok(existing) if existing == bytes => return Ok(false),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, bytes)?;
    Ok(true)
}
