//! Findings as text: the line, the caret, the remedy.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Place, Report, Severity};
use crate::source::{FileId, Source, Sources, Span};

/// How a report looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Without colour.
    #[default]
    Plain,
    /// With the escape sequences of a terminal.
    Colour,
}

/// How many bytes of a long line are kept on either side of a place.
const WINDOW: usize = 150;

pub(super) fn report(report: &Report, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    if report.is_empty() {
        return String::new();
    }
    let mut blocks: Vec<String> = report
        .diagnostics
        .iter()
        .map(|diagnostic| block(diagnostic, &report.sources, &renderer))
        .collect();
    blocks.extend(summary(report));
    blocks.join("\n\n") + "\n"
}

/// The count of what was found, if that was more than one thing.
fn summary(report: &Report) -> Option<String> {
    let counted = |severity, noun| match report.count(severity) {
        0 => None,
        1 => Some(format!("1 {noun}")),
        many => Some(format!("{many} {noun}s")),
    };
    let parts: Vec<_> = [(Severity::Error, "error"), (Severity::Warning, "warning")]
        .into_iter()
        .filter_map(|(severity, noun)| counted(severity, noun))
        .collect();
    (report.diagnostics.len() > 1).then(|| format!("{} found", parts.join(" and ")))
}

fn block(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(&*diagnostic.message)
        .id(diagnostic.rule.id);
    let excerpts = excerpts(diagnostic, sources);
    let mut group = Group::with_title(title);
    match &diagnostic.place {
        Place::Path(path) if !path.is_empty() => group = group.element(Origin::path(path)),
        _ => {}
    }
    for excerpt in &excerpts {
        group = group.element(excerpt.snippet());
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(&**note));
    }
    group = group.element(Level::HELP.message(&*diagnostic.help));
    let rendered = renderer.render(&[group]);
    excerpts
        .iter()
        .fold(rendered, |text, excerpt| excerpt.with_true_column(&text))
}

/// The excerpts of one finding: the primary place's file first, the places of one file together.
fn excerpts<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Excerpt<'a>> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    let primary = match &diagnostic.place {
        Place::Span(span) => Some((*span, &*diagnostic.label, AnnotationKind::Primary)),
        Place::Path(_) => None,
    };
    let related = diagnostic
        .related
        .iter()
        .map(|(span, label)| (*span, &**label, AnnotationKind::Context));
    for (span, label, kind) in primary.into_iter().chain(related) {
        let source = sources.get(span.file);
        let joined = excerpts.iter_mut().find(|excerpt| excerpt.takes(span));
        match joined {
            Some(excerpt) => excerpt.marks.push((span, label, kind)),
            None => excerpts.push(Excerpt::new(span, label, kind, source)),
        }
    }
    excerpts
}

/// A piece of one file, with marks.
struct Excerpt<'a> {
    file: FileId,
    source: &'a Source,
    /// The part of the text to show, when the line is too long to be shown whole.
    window: Option<std::ops::Range<usize>>,
    marks: Vec<(Span, &'a str, AnnotationKind)>,
}

impl<'a> Excerpt<'a> {
    fn new(span: Span, label: &'a str, kind: AnnotationKind, source: &'a Source) -> Self {
        let line = source.line_range(source.line_of(span.start as usize));
        let window = (line.len() > 4 * WINDOW).then(|| {
            let around = clipped(span, source);
            let start = around.start.saturating_sub(WINDOW).max(line.start);
            let end = (around.start + 2 * WINDOW).min(line.end);
            source.floor_char(start)..source.floor_char(end)
        });
        Self {
            file: span.file,
            source,
            window,
            marks: vec![(span, label, kind)],
        }
    }

    /// Whether a mark can be shown in this excerpt: in the same file, and on no long line.
    fn takes(&self, span: Span) -> bool {
        let line = self.source.line_of(span.start as usize);
        span.file == self.file
            && self.window.is_none()
            && self.source.line_range(line).len() <= 4 * WINDOW
    }

    fn snippet(&self) -> Snippet<'_, Annotation<'_>> {
        let shown = self.shown();
        let marks = self.marks.iter().map(|(span, label, kind)| {
            let range = clipped(*span, self.source);
            let end = range.end.min(shown.end) - shown.start;
            let mark = kind.span(range.start - shown.start..end);
            match label.is_empty() {
                true => mark,
                false => mark.label(*label),
            }
        });
        Snippet::source(&self.source.text()[shown.clone()])
            .path(self.source.path())
            .line_start(self.source.line_of(shown.start) + 1)
            .annotations(marks)
    }

    /// The marked lines and what is between them, or the window.
    fn shown(&self) -> std::ops::Range<usize> {
        if let Some(window) = &self.window {
            return window.clone();
        }
        let lines = self
            .marks
            .iter()
            .map(|(span, ..)| self.source.line_of(span.start as usize));
        let first = lines.clone().min().unwrap_or(0);
        let last = lines.max().unwrap_or(0);
        self.source.line_range(first).start..self.source.line_range(last).end
    }

    /// The renderer counts columns from where the excerpt starts; for a window they are put right.
    fn with_true_column(&self, rendered: &str) -> String {
        let Some(window) = &self.window else {
            return rendered.to_owned();
        };
        let start = clipped(self.marks[0].0, self.source).start;
        let position = self.source.position(start);
        let shown = self.source.text()[window.start..start].chars().count() + 1;
        let place = format!("{}:{}:", self.source.path(), position.line);
        let (wrong, right) = (
            format!("{place}{shown}"),
            format!("{place}{}", position.column),
        );
        let header = rendered.find('\n').unwrap_or(0);
        match rendered[header..].find(&wrong) {
            Some(at) => {
                let (before, after) = rendered.split_at(header + at);
                format!("{before}{right}{}", &after[wrong.len()..])
            }
            None => rendered.to_owned(),
        }
    }
}

/// A place cut down to its first line, since what matters about a long value is where it starts.
fn clipped(span: Span, source: &Source) -> std::ops::Range<usize> {
    let start = source.floor_char(span.start as usize);
    let line = source.line_range(source.line_of(start));
    let end = source.floor_char(span.end as usize).min(line.end);
    start.min(line.end)..end.max(start.min(line.end))
}
