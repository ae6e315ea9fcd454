use std::fs;

use super::*;

/// Directories of contracts and of what is generated, gone after the test.
struct Place(PathBuf);

const PLAIN: &str = r#"{"inputSchema": {"type": "object"}}"#;
const WARNED: &str = r#"{"inputSchema": {"type": "object"}, "unheard": 1}"#;

impl Place {
    fn new(test: &str) -> Self {
        let place = env::temp_dir().join(format!("relay-gen-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(place.join("schemas/more")).unwrap();
        let place = Self(place);
        place.write("schemas/one.json", PLAIN);
        place.write("schemas/more/two.json", WARNED);
        place
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.0.join(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap()
    }

    fn builder(&self) -> Builder {
        Builder::new().contracts(self.0.join("schemas"))
    }

    fn run(&self) -> Run {
        self.builder().run(&self.0.join("out"), true).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_has_not_changed_is_not_generated_again() {
    let place = Place::new("unchanged");
    assert_eq!(place.run(), Run::Generated);
    assert_eq!(place.run(), Run::Unchanged);
    let stamp = place.read("out/tools.rs.stamp");
    assert!(stamp.contains("unheard"), "the warnings: {stamp}");
}

#[test]
fn whatever_changes_is_generated_again() {
    type Change = fn(&Place);
    let changes: [(&str, Change); 9] = [
        ("a byte", |place| {
            place.write("schemas/one.json", &PLAIN.replace(": ", ":"));
        }),
        ("a new file", |place| place.write("schemas/new.json", PLAIN)),
        ("a new shared document", |place| {
            place.write("schemas/shared.json", r#"{"type": "string"}"#);
        }),
        ("a file less", |place| {
            fs::remove_file(place.0.join("schemas/more/two.json")).unwrap();
        }),
        ("another name", |place| {
            let name = |name| place.0.join("schemas").join(name);
            fs::rename(name("one.json"), name("other.json")).unwrap();
        }),
        ("another output", |place| {
            place.write("out/tools.rs", "// mine")
        }),
        ("no output", |place| {
            fs::remove_file(place.0.join("out/tools.rs")).unwrap();
        }),
        ("half a stamp", |place| {
            let stamp = place.read("out/tools.rs.stamp");
            place.write("out/tools.rs.stamp", &stamp[..stamp.len() / 4]);
        }),
        ("no stamp at all", |place| {
            fs::write(place.0.join("out/tools.rs.stamp"), [0xFF, 0x00]).unwrap();
        }),
    ];
    for (what, change) in changes {
        let place = Place::new("changed");
        assert_eq!(place.run(), Run::Generated, "{what}");
        change(&place);
        assert_eq!(place.run(), Run::Generated, "{what}");
        assert_eq!(place.run(), Run::Unchanged, "{what}");
        assert!(place.read("out/tools.rs").contains("trait"), "{what}");
    }
}

#[test]
fn a_part_of_a_stamp_is_none() {
    let place = Place::new("part");
    assert_eq!(place.run(), Run::Generated);
    let stamp = place.read("out/tools.rs.stamp");
    for length in 0..stamp.len() {
        place.write("out/tools.rs.stamp", &stamp[..length]);
        assert_eq!(place.run(), Run::Generated, "{length} bytes of it");
    }
}

#[test]
fn another_setting_is_generated_anew() {
    let place = Place::new("setting");
    assert_eq!(place.run(), Run::Generated);
    let renamed = place.builder().runtime_path("::renamed");
    let run = |builder: &Builder| builder.run(&place.0.join("out"), true).unwrap();
    assert_eq!(run(&renamed), Run::Generated);
    assert!(place.read("out/tools.rs").contains("::renamed"));
    assert_eq!(run(&renamed), Run::Unchanged);
    assert_eq!(run(&place.builder().file_name("b.rs")), Run::Generated);
}

#[test]
fn a_directory_of_the_application_gets_no_stamp() {
    let place = Place::new("own");
    let out = place.0.join("out");
    assert_eq!(place.builder().run(&out, false).unwrap(), Run::Generated);
    assert_eq!(place.builder().run(&out, false).unwrap(), Run::Generated);
    assert!(!out.join("tools.rs.stamp").exists());
}

#[test]
fn a_mistake_is_told_each_time() {
    let place = Place::new("mistake");
    assert_eq!(place.run(), Run::Generated);
    place.write("schemas/one.json", "{");
    for _ in 0..2 {
        let error = place.builder().run(&place.0.join("out"), true);
        assert!(matches!(error, Err(BuildError::Contracts(_))));
    }
    place.write("schemas/one.json", PLAIN);
    assert_eq!(place.run(), Run::Unchanged);
}
