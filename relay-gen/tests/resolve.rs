//! Where refs lead: every `$ref` under `resolve` has an `x-leads-to` beside it.

use relay_gen::contracts::{Contracts, Dialect, RefError};
use relay_gen::json::{Json, Node};

const ROOT: &str = "tests/resolve";

#[test]
fn every_ref_leads_where_it_says() {
    let contracts = Contracts::read(&[ROOT]).unwrap();
    let mut checked = 0;
    for (_, node) in roots(&contracts) {
        each(node, &mut |node| {
            let reference = node.get("$ref").or_else(|| node.get("$dynamicRef"));
            let expected = node.get("x-leads-to").and_then(Node::as_str);
            let (Some(reference), Some(expected)) = (reference, expected) else {
                return;
            };
            let target = contracts.resolve(reference).unwrap();
            let path = contracts.sources().get(target.file).path();
            let path = path.strip_prefix(ROOT).unwrap_or(path);
            let found = format!("{}#{}", path.trim_start_matches('/'), target.pointer);
            assert_eq!(found, expected, "{reference}");
            let root = contracts.root(target.file).unwrap();
            let there = root.pointer(&target.pointer).unwrap();
            assert_eq!(there.span, target.node.span, "{reference}");
            checked += 1;
        });
    }
    assert_eq!(checked, 33);
}

#[test]
fn each_schema_has_its_dialect() {
    let contracts = Contracts::read(&[ROOT]).unwrap();
    let tool = &contracts.tools()[0];
    let dialect = |node: &Node| contracts.dialect(node.span);
    assert_eq!(dialect(tool.input_schema()), Dialect::Draft2020_12);
    assert_eq!(dialect(tool.output_schema().unwrap()), Dialect::Draft07);
    let pot = tool.root().pointer("/inputSchema/$defs/pot/properties/lid");
    let resource = contracts.resource(pot.unwrap().span).unwrap();
    assert_eq!(resource.pointer, "/inputSchema/$defs/pot");
    assert!(resource.anchors.contains_key("lid"));
}

#[test]
fn metaschemas_are_no_documents() {
    let contracts = Contracts::read(&[ROOT]).unwrap();
    let stems: Vec<_> = contracts.documents().iter().map(|it| it.stem()).collect();
    assert_eq!(stems, ["back", "leaf"]);
}

#[test]
fn one_id_in_two_tools_is_ambiguous_only_from_outside() {
    let tool = |name: &str| {
        let text = format!(
            r##"{{"name":"{name}","inputSchema":{{"$id":"https://tea.example/in","type":"object",
            "properties":{{"a":{{"$ref":"https://tea.example/in"}}}}}}}}"##
        );
        (format!("{name}.json"), text)
    };
    let contracts = Contracts::from_texts([tool("green"), tool("black")]).unwrap();
    for tool in contracts.tools() {
        let reference = tool.input_schema().pointer("/properties/a/$ref").unwrap();
        let target = contracts.resolve(reference).unwrap();
        assert_eq!(target.node.span, tool.input_schema().span);
    }
    let outside = (
        "pot.json".to_owned(),
        r#"{"$ref":"https://tea.example/in"}"#.to_owned(),
    );
    let report = Contracts::from_texts([tool("green"), tool("black"), outside]).unwrap_err();
    assert_eq!(report.diagnostics()[0].rule.id, "bad-ref");
}

#[test]
fn a_long_chain_of_refs_and_a_long_circle() {
    let defs = |count: usize, last: &str| {
        let mut defs: Vec<String> = (0..count)
            .map(|at| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}}"##, at + 1))
            .collect();
        defs.push(format!(r#""d{count}":{last}"#));
        let text = format!(
            r#"{{"inputSchema":{{"type":"object","$defs":{{{}}}}}}}"#,
            defs.join(",")
        );
        Contracts::from_texts([("long.json", text)])
    };
    assert!(defs(2_000, "true").is_ok());
    let report = defs(2_000, r##"{"$ref":"#/$defs/d0"}"##).unwrap_err();
    assert_eq!(report.diagnostics().len(), 1);
    assert_eq!(report.diagnostics()[0].rule.id, "circular-ref");
}

#[test]
fn a_ref_may_be_tried_from_any_place() {
    let contracts = Contracts::read(&[ROOT]).unwrap();
    let schema = contracts.tools()[0].input_schema();
    let try_it = |text| contracts.resolve_text(text, schema.span);
    assert_eq!(try_it("#leaf").unwrap().pointer, "/inputSchema/$defs/leaf");
    let missing = try_it("#/$defs/leef").unwrap_err();
    assert!(matches!(missing, RefError::NoPointer { near: Some(near), .. } if near == "leaf"));
    let missing = try_it("shared/leef.json").unwrap_err();
    assert!(
        matches!(missing, RefError::NoFile { near: Some(near), .. } if near == "shared/leaf.json")
    );
}

fn roots(contracts: &Contracts) -> Vec<(String, &Node)> {
    let tools = contracts.tools().iter().map(|it| (it.stem(), it.root()));
    let documents = contracts.documents().iter();
    tools
        .chain(documents.map(|it| (it.stem(), it.root())))
        .map(|(stem, root)| (stem.to_owned(), root))
        .collect()
}

fn each<'a>(node: &'a Node, visit: &mut impl FnMut(&'a Node)) {
    visit(node);
    match &node.value {
        Json::Array(elements) => elements.iter().for_each(|element| each(element, visit)),
        Json::Object(members) => members.iter().for_each(|member| each(&member.value, visit)),
        _ => {}
    }
}
