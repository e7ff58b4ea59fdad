//! Reads the text that Prometheus gets, `OpenMetrics` as this program writes it.

/// A metric with its values.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Family {
    pub(super) name: String,
    pub(super) help: String,
    /// `counter`, `gauge`, `histogram` or `info`.
    pub(super) kind: String,
    pub(super) samples: Vec<Sample>,
}

/// A value.
#[derive(Debug, PartialEq)]
pub(super) struct Sample {
    /// What its name has after the metric's: `_total`, `_bucket` and so on.
    pub(super) suffix: String,
    pub(super) labels: Vec<(String, String)>,
    pub(super) value: f64,
}

impl Sample {
    /// The labels without that one, and its value.
    pub(super) fn split_label(&self, name: &str) -> (Vec<(String, String)>, Option<&str>) {
        let (own, others): (Vec<_>, Vec<_>) = self.labels.iter().partition(|(label, _)| label == name);
        let value = own.first().map(|(_, value)| value.as_str());
        (others.into_iter().cloned().collect(), value)
    }
}

/// Every metric of the text. A line of another form is left out.
pub(super) fn read(text: &str) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').unwrap_or((rest, ""));
            families.push(Family {
                name: name.to_owned(),
                help: help.to_owned(),
                ..Family::default()
            });
        } else if let Some(family) = families.last_mut() {
            if let Some(rest) = line.strip_prefix("# TYPE ") {
                rest.split_once(' ')
                    .map_or("", |(_, kind)| kind)
                    .clone_into(&mut family.kind);
            } else if let Some(sample) = sample(line, &family.name) {
                family.samples.push(sample);
            }
        }
    }
    families
}

/// `name_suffix{label="value",…} 1.5`
fn sample(line: &str, family: &str) -> Option<Sample> {
    let rest = line.strip_prefix(family)?;
    let (suffix, rest) = rest.split_at(rest.find(['{', ' '])?);
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(rest) => labels(rest)?,
        None => (Vec::new(), rest),
    };
    Some(Sample {
        suffix: suffix.to_owned(),
        labels,
        value: rest.trim().parse().ok()?,
    })
}

/// The labels up to the closing brace, and what follows it.
fn labels(mut rest: &str) -> Option<(Vec<(String, String)>, &str)> {
    let mut labels = Vec::new();
    loop {
        if let Some(end) = rest.strip_prefix('}') {
            return Some((labels, end));
        }
        let (name, value) = rest.strip_prefix(',').unwrap_or(rest).split_once("=\"")?;
        let (value, end) = quoted(value)?;
        labels.push((name.to_owned(), value));
        rest = end;
    }
}

/// A text up to its closing quotation mark, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                other => other,
            }),
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_of_each_kind_are_read_with_their_labels() {
        let text = "# HELP a_requests Answered.\n# TYPE a_requests counter\n\
                    a_requests_total{route=\"/x/{y}\",said=\"a \\\"b\\\"\\\\\\n\"} 3\n\
                    # HELP a_seconds Time.\n# TYPE a_seconds histogram\n\
                    a_seconds_sum 0.5\na_seconds_bucket{le=\"+Inf\"} 2\n# EOF\n";
        let [requests, seconds] = &read(text)[..] else {
            panic!("{:?}", read(text));
        };
        assert_eq!((&*requests.name, &*requests.kind), ("a_requests", "counter"));
        assert_eq!(requests.help, "Answered.");
        let labels = [("route", "/x/{y}"), ("said", "a \"b\"\\\n")];
        let labels = labels.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(requests.samples[0].labels, labels);
        assert_eq!(requests.samples[0].suffix, "_total");
        assert_eq!(seconds.samples.len(), 2);
        assert_eq!(seconds.samples[1].split_label("le"), (Vec::new(), Some("+Inf")));
        assert!((seconds.samples[0].value - 0.5).abs() < f64::EPSILON);
    }
}
