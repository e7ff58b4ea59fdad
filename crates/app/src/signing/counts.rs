//! What signers did at this instance, for the metrics.

use crate::signing::codes::CodeOutcome;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use std::time::Duration;

/// Upper bounds of the time to sign, in seconds: a minute, ten, an hour, six, a day, three, a week, a month.
const TIME_TO_SIGN_BOUNDS: [f64; 8] = [
    60.0,
    600.0,
    3_600.0,
    21_600.0,
    86_400.0,
    259_200.0,
    604_800.0,
    2_592_000.0,
];

/// What became of a code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct CodeLabel {
    outcome: &'static str,
}

const SENT: CodeLabel = CodeLabel { outcome: "sent" };
const ACCEPTED: CodeLabel = CodeLabel { outcome: "accepted" };
const REFUSED: CodeLabel = CodeLabel { outcome: "refused" };
/// Typed when there was none to compare with: it had expired, or was tried too often.
const EXPIRED: CodeLabel = CodeLabel { outcome: "expired" };

/// The counts. Clones share them.
#[derive(Debug, Clone)]
pub struct SigningCounts {
    /// Codes, by what became of them.
    pub codes: Family<CodeLabel, Counter>,
    /// Folios that a signer rejected.
    pub rejections: Counter,
    /// Signatures, by the time from the creation of the folio.
    pub time_to_sign: Histogram,
}

impl Default for SigningCounts {
    fn default() -> Self {
        let codes = Family::default();
        // All are there from the start, so that the first one is seen as a change.
        for label in [SENT, ACCEPTED, REFUSED, EXPIRED] {
            drop(codes.get_or_create(&label));
        }
        Self {
            codes,
            rejections: Counter::default(),
            time_to_sign: Histogram::new(TIME_TO_SIGN_BOUNDS),
        }
    }
}

impl SigningCounts {
    pub(crate) fn count_sent_codes(&self, count: usize) {
        self.codes.get_or_create(&SENT).inc_by(count as u64);
    }

    /// Counts the code of an act that needed one.
    pub(crate) fn count_typed_code<T>(&self, outcome: &CodeOutcome<T>) {
        let label = match outcome {
            CodeOutcome::Done(_) => ACCEPTED,
            CodeOutcome::WrongCode { .. } => REFUSED,
            CodeOutcome::NoCode { .. } => EXPIRED,
        };
        self.codes.get_or_create(&label).inc();
    }

    /// Counts a signature, this long after the creation of its folio.
    pub(crate) fn count_signature(&self, took: Duration) {
        self.time_to_sign.observe(took.as_secs_f64());
    }
}
