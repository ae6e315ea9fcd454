use std::collections::BTreeMap;

use serde_json::Value;

use super::*;
use crate::codec::Codec;
use crate::codegen::table;

crate::__relay_strings! {
    pub enum Size { Small = "s", Large = "l" }
}

crate::__relay_object! {
    pub struct Strict { pub name: String, pub size?: Size, }
}

crate::__relay_object! {
    pub struct Loose { pub any: Value, }
}

crate::__relay_object! {
    pub struct Open { pub at: Vec<Option<f64>>, .. }
}

/// Whether nothing is left of a table, on the way in and on the way out.
fn both<T: Checked>(table: &Table) -> (bool, bool) {
    let [inward, outward] =
        [false, true].map(|outward| Reduce::root::<T>(table, outward).is_none());
    (inward, outward)
}

#[test]
fn what_a_type_says_need_not_be_looked_at() {
    const YES: (bool, bool) = (true, true);
    let strict = table!([
        Type(OBJECT),
        Properties{"name": [Type(STRING)], "size": [Type(STRING), Enum["l", "m", "s"]]},
        Required["name"],
        AdditionalProperties[Never()],
    ]);
    assert_eq!(both::<Strict>(&strict), YES);
    let open = table!({
        "": [Type(OBJECT), Properties{"at": [Ref(1)]}, Required["at"], AdditionalProperties[]],
        "/$defs/at": [Type(ARRAY), Items[Type(NUMBER | NULL)], Minimum("3")],
    });
    assert_eq!(both::<Open>(&open), (true, false));
    assert_eq!(both::<u64>(&table!([AllOf[[Type(INTEGER)], [U64()]]])), YES);
    assert_eq!(
        both::<Vec<bool>>(&table!([Type(ARRAY | NULL), Items[Type(BOOLEAN)]])),
        YES
    );
}

#[test]
fn what_a_type_leaves_open_is_looked_at() {
    const NO: (bool, bool) = (false, false);
    for table in [
        table!([Type(OBJECT), Properties{"name": [MinLength(1)]}]),
        table!([Type(OBJECT), Properties{"name": [Type(STRING | NULL), Const("a")]}]),
        table!([Type(OBJECT), Properties{"size": [Enum["s"]]}]),
        table!([Type(OBJECT), Required["size"]]),
        table!([Type(OBJECT), AdditionalProperties[Type(STRING)]]),
        table!([Type(OBJECT), MinProperties(2)]),
        table!([Type(OBJECT), AnyOf[[Required["name"]], [Type(OBJECT)]]]),
        table!([Type(ARRAY)]),
        table!([Never()]),
        table!([Ref(0)]),
        table!([Ref(7)]),
    ] {
        assert_eq!(both::<Strict>(&table), NO, "{table:?}");
    }
    assert_eq!(
        both::<Open>(&table!([Properties{"other": [Type(STRING)]}])),
        (false, true)
    );
    assert_eq!(
        both::<Open>(&table!([Properties{"at": []}, AdditionalProperties[Never()]])),
        (false, true)
    );
    assert_eq!(both::<i64>(&table!([U64()])), NO);
    assert_eq!(both::<i64>(&table!([Minimum("0")])), NO);
    assert_eq!(both::<Vec<i64>>(&table!([UniqueItems()])), NO);
    assert_eq!(both::<Option<bool>>(&table!([Type(BOOLEAN)])), NO);
    assert_eq!(both::<Value>(&table!([Type(STRING)])), NO);
    // A name that was written twice is in none of them.
    assert_eq!(both::<Value>(&table!([])), (false, true));
    assert_eq!(
        both::<Vec<Option<Value>>>(&table!([Type(ARRAY)])),
        (false, true)
    );
    assert_eq!(both::<Box<i64>>(&table!([])), (false, true));
    assert_eq!(both::<BTreeMap<String, bool>>(&table!([Type(OBJECT)])), NO);
}

#[test]
fn what_is_not_kept_as_it_was_written_is_looked_at() {
    let any = table!([Type(OBJECT), Properties{"any": []}, AdditionalProperties[Never()]]);
    assert_eq!(both::<Loose>(&any), (false, true));
    for table in [table!([Type(ARRAY)]), table!([Type(ARRAY), Items[]])] {
        assert_eq!(both::<Vec<Value>>(&table), (false, true));
        assert_eq!(both::<Vec<BTreeMap<String, bool>>>(&table), (false, true));
        assert_eq!(both::<Vec<String>>(&table), (true, true));
    }
    let codec = Codec::<Loose>::checked(Some(any));
    assert_eq!(
        codec.decode(r#"{"any":1e2}"#).unwrap().any.as_i64(),
        Some(100)
    );
    assert!(codec.decode(r#"{"any":{"a":1,"a":2}}"#).is_err());
}

crate::__relay_object! {
    pub struct Kept { pub name: String, ..rest: BTreeMap<String, u64>, }
}

#[test]
fn what_is_kept_may_have_the_name_of_a_field() {
    let table = table!([Type(OBJECT)]);
    assert_eq!(both::<Kept>(&table), (false, false));
    let codec = Codec::<Kept>::checked(Some(table));
    let kept = |other: &str| Kept {
        name: "a".into(),
        rest: [(other.into(), 1)].into(),
    };
    assert!(codec.encode(&kept("other")).is_ok());
    assert!(codec.encode(&kept("name")).is_err());
}

#[test]
fn a_table_without_an_end_is_not_followed_for_ever() {
    let wide = table!({"": [AllOf[[Ref(0)], [Ref(0)], [Ref(0)]]]});
    assert_eq!(both::<String>(&wide), (false, false));
    let deep = format!("{:?}", Reduce::root::<String>(&wide, false));
    assert!(deep.len() < 200, "{deep}");
}

crate::__relay_object! {
    pub struct Node { pub name: String, pub size?: Size, pub below: Vec<Node>, }
}

#[test]
fn what_is_left_is_what_the_type_does_not_say() {
    let table = table!({
        "": [Type(OBJECT), Properties{"name": [Ref(1)], "size": [Enum["s", "l"]], "below": [Ref(2)]},
            Required["name", "below"], AdditionalProperties[Never()]],
        "/$defs/name": [AllOf[[Type(STRING)], [Type(STRING), MinLength(2)]]],
        "/$defs/below": [Type(ARRAY), MaxItems(3), Items[Ref(0)]],
    });
    let left = "S([Fields(S([Some(S([MinLength(2)])), None, Some(S([MaxItems(3), Items(S([Ref(0)]))]))]))])";
    let codec = Codec::<Node>::checked(Some(table.clone()));
    // However a list is held.
    let as_written = |schema: &Schema| format!("{schema:?}").replace("Shared(", "S(");
    for outward in [false, true] {
        let reduced = Reduce::root::<Node>(&table, outward).unwrap();
        assert_eq!(as_written(&reduced), left);
    }
    for (fits, json) in [
        (true, r#"{"name":"ab","below":[{"name":"cd","below":[]}]}"#),
        (false, r#"{"name":"a","below":[]}"#),
        (false, r#"{"name":"ab","below":[{"name":"c","below":[]}]}"#),
    ] {
        assert_eq!(codec.decode(json).is_ok(), fits, "{json}");
    }
}

#[test]
fn names_stay_where_another_keyword_speaks_of_those_that_have_none() {
    let table = table!([
        Properties{"name": [Type(STRING)]}, AdditionalProperties[Enum["l"]],
    ]);
    let codec = Codec::<Strict>::checked(Some(table));
    assert!(codec.decode(r#"{"name":"a","size":"l"}"#).is_ok());
    let refused = codec.decode(r#"{"name":"a","size":"s"}"#).unwrap_err();
    assert!(refused.to_string().contains("size"), "{refused}");
}
