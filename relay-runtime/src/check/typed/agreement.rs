//! Random schemas and values: the walk, along the whole schema or what is left of it, decides only as
//! the checker does. The same in every run.

use std::collections::{BTreeMap, HashSet};
use std::mem::discriminant;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::super::table::{Keyword, List, Literal, Schema, Table, Target, Text, Types};
use super::{Checked, Invalid, Reduce, Unknown, Valid, Walk};
use Kind::{Any, Array, Json, Object};

crate::__relay_strings! { pub enum Size { Small = "s", Large = "l" } }
crate::__relay_object! { pub struct Strict { pub a: String, pub b?: Size, } }
crate::__relay_object! { pub struct Open { pub a: Vec<Option<f64>>, pub b?: i64, .. } }
crate::__relay_object! { pub struct Kept { pub a: bool, ..rest: BTreeMap<String, u64>, } }
crate::__relay_object! { pub struct Loose { pub a: Value, pub b?: BTreeMap<String, f64>, .. } }
crate::__relay_object! { pub struct Node { pub a: Strict, pub b: Vec<Node>, pub c?: Option<u64>, } }
crate::__relay_union! { pub enum Either { Size(Size), Number(f64), Strict(Strict) } }

/// How many schemas are made up.
const TABLES: usize = 2_000;

#[test]
fn the_walk_decides_only_as_the_checker_does() {
    let random = &mut Random(0x9E37_79B9_7F4A_7C15);
    let mut tally = Tally::default();
    for _ in 0..TABLES {
        let (at, table) = (&mut tally, &random.table(false));
        at.add::<bool>(table, random, BOOLEAN);
        at.add::<i64>(table, random, INTEGER);
        at.add::<u64>(table, random, INTEGER);
        at.add::<f64>(table, random, NUMBER);
        at.add::<String>(table, random, TEXT);
        at.add::<Size>(table, random, SIZE);
        at.add::<Option<f64>>(table, random, PERHAPS);
        at.add::<Option<Box<i64>>>(table, random, PERHAPS);
        at.add::<Vec<i64>>(table, random, Array(&INTEGER));
        at.add::<Vec<Strict>>(table, random, Array(&STRICT));
        at.add::<(i64, Size)>(table, random, Json(&[r#"[1,"s"]"#, r#"[0,"l"]"#]));
        at.add::<Value>(table, random, ANY);
        at.add::<BTreeMap<String, f64>>(table, random, NUMBERS);
        at.add::<Strict>(table, random, STRICT);
        at.add::<Open>(table, random, OPEN);
        at.add::<Kept>(table, random, KEPT);
        // What it holds may not be as it was written: each field has to be looked at.
        at.add::<Loose>(&random.table(true), random, LOOSE);
        at.add::<Node>(table, random, NODE);
        at.add::<Either>(table, random, Any(&[NUMBER, SIZE, STRICT]));
    }
    // Otherwise it would say little.
    let told = tally.valid.min(tally.invalid).min(tally.unknown);
    assert!(told.min(10 * tally.nothing_left) > 20 * TABLES, "{tally:?}");
}

/// How often what was said, and of how many schemas nothing was left.
#[derive(Debug, Default)]
struct Tally {
    valid: usize,
    invalid: usize,
    unknown: usize,
    nothing_left: usize,
}

impl Tally {
    /// Adds some values of a type, on their way in and on their way out.
    fn add<T: Checked + Serialize + DeserializeOwned>(
        &mut self,
        table: &Table,
        random: &mut Random,
        kind: Kind,
    ) {
        let left = [false, true].map(|outward| Reduce::root::<T>(table, outward));
        self.nothing_left += left.iter().filter(|left| left.is_none()).count();
        for _ in 0..3 {
            let written = random.json(kind);
            let Ok(value) = serde_json::from_str::<T>(&written) else {
                continue;
            };
            let sent = serde_json::to_string(&value).unwrap();
            self.compare(table, left[0].as_ref(), false, &value, &written);
            self.compare(table, left[1].as_ref(), true, &value, &sent);
        }
    }

    fn compare(
        &mut self,
        table: &Table,
        left: Option<&Schema>,
        outward: bool,
        value: &dyn Checked,
        json: &str,
    ) {
        let plain = Walk::root(table, &List::S(&[Keyword::Ref(0)]), outward, value);
        let reduced = left.map_or(Valid, |left| Walk::root(table, left, outward, value));
        let is_valid = table.check(json).is_ok();
        for verdict in [plain, reduced] {
            let (agrees, count) = match verdict {
                Valid => (is_valid, &mut self.valid),
                Invalid => (!is_valid, &mut self.invalid),
                Unknown => (true, &mut self.unknown),
            };
            *count += 1;
            assert!(
                agrees,
                "{json} is valid: {is_valid}; along {table:?} it is {plain:?}, along {left:?}, what \
                 is left (outward: {outward}), {reduced:?}"
            );
        }
    }
}

/// Values, as JSON.
#[derive(Clone, Copy)]
enum Kind {
    Json(&'static [&'static str]),
    Any(&'static [Kind]),
    Array(&'static Kind),
    Object(&'static [(&'static str, Kind)]),
}

const BOOLEAN: Kind = Json(&["true", "false"]);
const LARGE: Kind = Json(&["9223372036854775807", "9223372036854775808"]);
const INTEGER: Kind = Any(&[Json(&["-1", "0", "1", "2"]), LARGE]);
const FRACTION: Kind = Json(&["1.0", "0.5", "1e2", "-0", "9007199254740993", "1e300"]);
const NUMBER: Kind = Any(&[INTEGER, FRACTION]);
const PERHAPS: Kind = Any(&[NUMBER, Json(&["null"])]);
const SIZE: Kind = Json(&[r#""s""#, r#""l""#]);
const TEXT: Kind = Json(&[r#""""#, r#""ab""#, r#""\u0073""#, "\"\u{e9}\""]);
const NUMBERS: Kind = Object(&[("a", NUMBER), ("c", NUMBER)]);
const ANY: Kind = Any(&[BOOLEAN, PERHAPS, TEXT, SIZE, NUMBERS, Array(&PERHAPS)]);
const STRICT: Kind = Object(&[("a", Any(&[SIZE, TEXT])), ("b", SIZE)]);
const OPEN: Kind = Object(&[("a", Array(&PERHAPS)), ("b", INTEGER), ("c", ANY)]);
const KEPT: Kind = Object(&[("a", BOOLEAN), ("b", INTEGER), ("d", INTEGER)]);
const LOOSE: Kind = Object(&[("a", ANY), ("b", NUMBERS), ("c", ANY)]);
const LEAF: Kind = Object(&[("a", STRICT), ("b", Json(&["[]"])), ("c", PERHAPS)]);
const NODE: Kind = Object(&[("a", STRICT), ("b", Array(&LEAF)), ("c", PERHAPS)]);

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A member is not there now and then, or there twice.
    fn json(&mut self, kind: Kind) -> String {
        match kind {
            Json(texts) => self.pick(texts).to_owned(),
            Any(kinds) => {
                let kind = self.pick(kinds);
                self.json(kind)
            }
            Array(item) => {
                let items: Vec<_> = (0..self.below(4)).map(|_| self.json(*item)).collect();
                format!("[{}]", items.join(","))
            }
            Object(members) => {
                let mut written = Vec::new();
                for (name, value) in members {
                    for _ in 0..self.pick(&[0, 1, 1, 1, 1, 1, 1, 2]) {
                        written.push(format!("\"{name}\":{}", self.json(*value)));
                    }
                }
                format!("{{{}}}", written.join(","))
            }
        }
    }
}

const NAMES: &[&str] = &["a", "b", "c", "d"];
const BOUNDS: &[&str] = &["-1", "0", "1", "1.0", "2", "0.5", "9.3e18", "1e2"];
const COUNTS: &[u64] = &[0, 1, 2, 3];
const TARGETS: usize = 3;

/// Schemas.
impl Random {
    /// Its root may have to name all members.
    fn table(&mut self, names_all: bool) -> Table {
        let targets = (0..TARGETS).map(|target| {
            let mut schema = self.keywords(target + 1, 2);
            if target == 0 && names_all {
                schema.retain(|keyword| !matches!(keyword, Keyword::Properties(_)));
                schema.push(self.properties(NAMES, 1));
            }
            Target(Text::T(""), schema.into())
        });
        Table(list(targets))
    }

    /// Keywords, none twice. A `$ref` leads to one of the targets from the first on, so that nothing
    /// leads round in a circle for one value.
    fn keywords(&mut self, first: usize, depth: usize) -> Vec<Keyword> {
        let mut known = HashSet::new();
        let keywords = (0..self.below(4)).map(|_| self.keyword(first, depth));
        keywords
            .filter(|keyword| known.insert(discriminant(keyword)))
            .collect()
    }

    fn schema(&mut self, first: usize, depth: usize) -> Schema {
        self.keywords(first, depth - 1).into()
    }

    fn schemas(&mut self, first: usize, depth: usize) -> List<Schema> {
        list((0..=self.below(2)).map(|_| self.schema(first, depth)))
    }

    fn properties(&mut self, names: &[&'static str], depth: usize) -> Keyword {
        let member = |name: &&'static str| (Text::T(name), self.schema(0, depth));
        Keyword::Properties(list(names.iter().map(member)))
    }

    fn keyword(&mut self, first: usize, depth: usize) -> Keyword {
        match self.below(if depth == 0 { 22 } else { 37 }) {
            0..4 => Keyword::Type((self.below(1 << 7) | self.below(1 << 7)) as Types),
            4 => Keyword::Const(self.literal()),
            5 => Keyword::Enum(list((0..4).map(|_| self.literal()))),
            6 if self.below(2) == 0 => Keyword::I64,
            6 => Keyword::U64,
            7 => Keyword::Minimum(self.bound()),
            8 => Keyword::Maximum(self.bound()),
            9 => Keyword::ExclusiveMinimum(self.bound()),
            10 => Keyword::ExclusiveMaximum(self.bound()),
            11 => Keyword::MultipleOf(Text::T(self.pick(&["1", "2", "0.5"]))),
            12 => Keyword::MinLength(self.pick(COUNTS)),
            13 => Keyword::MaxLength(self.pick(COUNTS)),
            14 => Keyword::MinItems(self.pick(COUNTS)),
            15 => Keyword::MaxItems(self.pick(COUNTS)),
            16 => Keyword::MinProperties(self.pick(COUNTS)),
            17 => Keyword::MaxProperties(self.pick(COUNTS)),
            18 => Keyword::UniqueItems,
            19 => Keyword::Required(self.names()),
            20 => Keyword::DependentRequired(list([(Text::T(self.pick(NAMES)), self.names())])),
            21 if first < TARGETS => Keyword::Ref((first + self.below(TARGETS - first)) as u32),
            21 => Keyword::Never,
            22..26 => {
                let from = self.below(NAMES.len());
                self.properties(&NAMES[from..], depth)
            }
            26..29 => Keyword::AdditionalProperties(self.schema(0, depth)),
            29 => Keyword::Items(self.schema(0, depth)),
            30 => Keyword::PrefixItems(self.schemas(0, depth)),
            31 => {
                let (least, most) = (self.pick(COUNTS), self.pick(&[None, Some(1)]));
                Keyword::Contains(self.schema(0, depth), least, most)
            }
            32 => Keyword::AllOf(self.schemas(first, depth)),
            33 => Keyword::AnyOf(self.schemas(first, depth)),
            34 => Keyword::OneOf(self.schemas(first, depth)),
            35 => Keyword::Not(self.schema(first, depth)),
            _ => {
                let [condition, then, otherwise] = [(); 3].map(|()| self.schema(first, depth));
                Keyword::If(condition, then, otherwise)
            }
        }
    }

    fn bound(&mut self) -> Text {
        Text::T(self.pick(BOUNDS))
    }

    fn names(&mut self) -> List<Text> {
        list((0..=self.below(2)).map(|_| Text::T(self.pick(NAMES))))
    }

    fn literal(&mut self) -> Literal {
        match self.below(8) {
            0 => Literal::Null,
            1 => Literal::Bool(self.below(2) == 0),
            2..4 => Literal::Number(self.bound()),
            4 => Literal::Array(list([Literal::Number(self.bound())])),
            _ => Literal::String(Text::T(self.pick(&["s", "l", "ab"]))),
        }
    }
}

fn list<T>(items: impl IntoIterator<Item = T>) -> List<T> {
    items.into_iter().collect::<Vec<_>>().into()
}
