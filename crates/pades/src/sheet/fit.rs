//! Text made to fit the room there is.

use super::canvas::Style;

/// A text on one line of a width: set smaller down to `smallest`, then cut.
pub(super) fn fit(style: Style, smallest: f64, width: f64, text: &str) -> (Style, String) {
    let natural = style.width(text);
    if natural <= width {
        return (style, text.into());
    }
    let style = style.sized((style.size * width / natural).max(smallest));
    let mut out: String = text.into();
    let mut cut = false;
    while !out.is_empty() && style.width(&out) + if cut { style.width("…") } else { 0.0 } > width {
        out.pop();
        cut = true;
    }
    if cut {
        out.truncate(out.trim_end().len());
        out.push('…');
    }
    (style, out)
}

/// A text on at most so many lines of a width, about equally long, the last one cut where it is too long.
pub(super) fn wrap(style: Style, width: f64, lines: usize, text: &str) -> Vec<String> {
    let widest = break_lines(style, width, lines, text);
    let (mut narrow, mut wide) = (width / 2.0, width);
    for _ in 0..6 {
        let middle = f64::midpoint(narrow, wide);
        let broken = break_lines(style, middle, lines, text);
        let fits = broken.iter().all(|line| style.width(line) <= middle);
        if fits && broken.len() == widest.len() {
            wide = middle;
        } else {
            narrow = middle;
        }
    }
    let mut out = if wide < width {
        break_lines(style, wide, lines, text)
    } else {
        widest
    };
    for line in &mut out {
        *line = fit(style, style.size, width, line).1;
    }
    out
}

fn break_lines(style: Style, width: f64, lines: usize, text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let full = out.len() == lines;
        match out.last_mut() {
            Some(line) if full || style.width(&format!("{line} {word}")) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => out.push(word.into()),
        }
    }
    out
}
