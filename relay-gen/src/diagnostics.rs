//! What is wrong with the contracts: rules, findings and their rendering.

mod catalogue;
mod render;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use crate::source::{FileId, Sources, Span};

pub use catalogue::{RULES, Rule, rule};
pub use render::Style;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Worth knowing.
    Warning,
}

/// Where a finding is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// In a text that was read.
    Span(Span),
    /// At a path whose text could not be read.
    Path(String),
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// Where.
    pub place: Place,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// A few words at the caret.
    pub label: String,
    /// Other places that have to do with it.
    pub related: Vec<(Span, String)>,
    /// What else there is to know.
    pub notes: Vec<String>,
    /// The remedy; by default that of the rule.
    pub help: String,
}

impl Diagnostic {
    /// A finding in a text, by the id of its rule.
    ///
    /// # Panics
    /// If there is no such rule.
    #[must_use]
    pub fn new(rule_id: &str, span: Span, message: impl Into<String>) -> Self {
        Self::at(rule_id, Place::Span(span), message)
    }

    /// A finding at any place, by the id of its rule.
    ///
    /// # Panics
    /// If there is no such rule.
    #[must_use]
    pub fn at(rule_id: &str, place: Place, message: impl Into<String>) -> Self {
        let rule = rule(rule_id).unwrap_or_else(|| panic!("no rule has the id `{rule_id}`"));
        Self {
            rule,
            place,
            message: message.into(),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            help: rule.remedy.to_owned(),
        }
    }

    /// The same with words at the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same with another place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// The same with one more thing to know.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same with a remedy of its own.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity
    }

    /// The file that it is in, if that was read.
    #[must_use]
    pub fn file(&self) -> Option<FileId> {
        match self.place {
            Place::Span(span) => Some(span.file),
            Place::Path(_) => None,
        }
    }
}

/// Findings as they are made.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds findings.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.list.extend(diagnostics);
    }

    /// Leaves out the findings for which `keep` is false.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Whether one of them is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
    }

    /// The findings as a report, sorted by path and place.
    #[must_use]
    pub fn into_report(self, sources: Arc<Sources>) -> Report {
        Report::new(sources, self.list)
    }
}

/// Findings together with the texts that they are about. Shown with `{}`; it prints nothing itself.
#[derive(Clone, Default)]
pub struct Report {
    sources: Arc<Sources>,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// A report, sorted by path, then by place.
    #[must_use]
    pub fn new(sources: Arc<Sources>, mut diagnostics: Vec<Diagnostic>) -> Self {
        // A schema that several tools share is checked for each of them.
        let mut seen = HashSet::new();
        diagnostics.retain(|found| {
            seen.insert((found.rule.id, found.place.clone(), found.message.clone()))
        });
        diagnostics.sort_by_cached_key(|diagnostic| match &diagnostic.place {
            Place::Path(path) => (path.clone(), 0, diagnostic.rule.id),
            Place::Span(span) => {
                let path = sources.get(span.file).path().to_owned();
                (path, span.start, diagnostic.rule.id)
            }
        });
        Self {
            sources,
            diagnostics,
        }
    }

    /// The findings.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The texts.
    #[must_use]
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Whether there is nothing to report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// How many findings are of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        let of_it = |diagnostic: &&Diagnostic| diagnostic.severity() == severity;
        self.diagnostics.iter().filter(of_it).count()
    }

    /// Whether one of the findings is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// The report as text.
    #[must_use]
    pub fn render(&self, style: Style) -> String {
        render::report(self, style)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

/// As it is shown, so that `unwrap` shows it well.
impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for Report {}
