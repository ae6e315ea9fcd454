//! Cargo, and packages that are written to be built alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use relay_bench::cpu;
use serde_json::Value;

/// What a build gave.
#[derive(Debug, Default)]
pub struct Built {
    /// The processor time of all its processes, in seconds.
    pub cpu: f64,
    /// The program.
    pub program: PathBuf,
    /// Its size.
    pub size: f64,
    /// The directory into which the package's build script wrote, if it has one.
    pub generated: Option<PathBuf>,
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.parent().unwrap_or(bench).to_path_buf()
}

/// The directory into which this program was built.
///
/// # Errors
///
/// If this program is gone.
pub fn target() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let tagged = program
        .ancestors()
        .find(|above| above.join("CACHEDIR.TAG").is_file());
    Ok(tagged.map_or_else(|| workspace().join("target"), Path::to_path_buf))
}

/// Writes a package that is a workspace of its own, with the versions and the release profile of
/// this one, and gives its manifest.
///
/// # Errors
///
/// If it can't be written.
pub fn package(name: &str, manifest: &str, files: &[(&str, &str)]) -> Result<PathBuf, String> {
    let root = target()?.join("table").join(name);
    let workspace = workspace();
    let lock = read(&workspace.join("Cargo.lock"))?;
    let profile = release_profile(&read(&workspace.join("Cargo.toml"))?);
    let manifest = format!("{manifest}\n[workspace]\n\n{profile}");
    write(&root.join("Cargo.toml"), &manifest)?;
    write(&root.join("Cargo.lock"), &lock)?;
    for (path, text) in files {
        write(&root.join(path), text)?;
    }
    Ok(root.join("Cargo.toml"))
}

/// Builds the program of a package for release into a directory, of which what is there is kept.
///
/// # Errors
///
/// If it does not compile.
pub fn build(manifest: &Path, name: &str, target: &Path) -> Result<Built, String> {
    build_with(manifest, name, target, &[])
}

fn build_with(
    manifest: &Path,
    name: &str,
    target: &Path,
    variables: &[(&str, &str)],
) -> Result<Built, String> {
    // The time to download is not that of the build.
    run(
        &mut cargo("fetch", manifest),
        "its dependencies can't be fetched",
    )?;
    let before = cpu::of_children()?;
    let output = run(
        cargo("build", manifest)
            .args(["--release", "--bin", name, "--target-dir"])
            .arg(target)
            .arg("--message-format=json-render-diagnostics")
            .envs(variables.iter().copied()),
        "it does not compile",
    )?;
    let mut built = Built {
        cpu: cpu::of_children()? - before,
        ..Built::default()
    };
    for line in output.stdout.split(|byte| *byte == b'\n') {
        let message: Value = serde_json::from_slice(line).unwrap_or_default();
        let own = message["manifest_path"].as_str() == manifest.to_str();
        if let (true, Some(program)) = (own, message["executable"].as_str()) {
            built.program = program.into();
        }
        let id = message["package_id"].as_str().unwrap_or_default();
        if let (true, Some(directory)) = (id.contains(name), message["out_dir"].as_str()) {
            built.generated = Some(directory.into());
        }
    }
    let metadata = fs::metadata(&built.program)
        .map_err(|_| format!("{}: no program was built", manifest.display()))?;
    #[expect(clippy::cast_precision_loss, reason = "programs are small")]
    let size = metadata.len() as f64;
    built.size = size;
    Ok(built)
}

/// The same from nothing, into a directory that is removed first, and the program stripped.
///
/// # Errors
///
/// If it does not compile.
pub fn build_clean(manifest: &Path, name: &str, target: &Path) -> Result<Built, String> {
    if let Err(error) = fs::remove_dir_all(target)
        && target.exists()
    {
        return Err(format!("{} can't be removed: {error}", target.display()));
    }
    let variables = [
        ("CARGO_PROFILE_RELEASE_STRIP", "symbols"),
        // A wrapper may keep what was built before.
        ("RUSTC_WRAPPER", ""),
    ];
    build_with(manifest, name, target, &variables)
}

/// How many packages are compiled for a package, itself left out.
///
/// # Errors
///
/// If its tree can't be told.
pub fn packages(manifest: &Path) -> Result<usize, String> {
    let output = run(
        cargo("tree", manifest).args(["--edges", "no-dev", "--prefix", "none", "--no-dedupe"]),
        "its tree can't be told",
    )?;
    let tree = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<&str> = tree.lines().filter(|line| !line.is_empty()).collect();
    lines.sort_unstable();
    lines.dedup();
    Ok(lines.len().saturating_sub(1))
}

/// Reads a file.
///
/// # Errors
///
/// If it can't be read.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{} can't be read: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error| format!("{} can't be written: {error}", path.display());
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}

fn cargo(command: &str, manifest: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args([command, "--quiet", "--manifest-path"])
        .arg(manifest)
        .stderr(Stdio::inherit());
    cargo
}

fn run(command: &mut Command, failed: &str) -> Result<Output, String> {
    let output = command
        .output()
        .map_err(|error| format!("cargo can't be started: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let arguments: Vec<_> = command
        .get_args()
        .map(|word| word.to_string_lossy())
        .collect();
    Err(format!("{failed}: cargo {}", arguments.join(" ")))
}

/// The release profile of a manifest, where it has one.
fn release_profile(manifest: &str) -> String {
    let rest = manifest
        .lines()
        .skip_while(|line| line.trim() != "[profile.release]");
    let ours = rest
        .enumerate()
        .take_while(|(number, line)| *number == 0 || !line.starts_with('['));
    ours.map(|(_, line)| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::release_profile;

    #[test]
    fn the_release_profile_is_repeated_and_no_other() {
        let manifest = "[package]\n[profile.release]\nlto = \"fat\"\n[profile.dev]\ndebug = 0\n";
        assert_eq!(
            release_profile(manifest),
            "[profile.release]\nlto = \"fat\"\n"
        );
        assert_eq!(release_profile("[package]\n"), "");
    }
}
