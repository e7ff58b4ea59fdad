//! What the installation is like now: asked of the database, the storage and the disks when the metrics are read.

use super::disks::{self, DiskSpace};
use crate::Web;
use app::Clock;
use domain::Timestamp;
use jiff::SignedDuration;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use store::{OperatorReport, WaitingMoves};

type Seconds = Gauge<f64, AtomicU64>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct QueueLabel {
    queue: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PlaceLabel {
    place: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PartLabel {
    part: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReasonLabel {
    reason: &'static str,
}

/// `Against` is `database`, or the host of a timestamp authority of the settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ClockLabel {
    against: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BuildLabels {
    version: &'static str,
    migration: i64,
}

/// The state.
#[derive(Debug)]
pub(crate) struct Installation {
    queues: [(&'static str, usize); 5],
    writable: [(&'static str, bool); 2],
    disks: Vec<DiskSpace>,
    /// How far our clock is ahead of others.
    skews: Vec<(String, SignedDuration)>,
    /// Absent where the database does not answer.
    report: Option<OperatorReport>,
    /// How long a round of the scrubber takes; absent where it is off.
    scrub_round: Option<Duration>,
    now: Timestamp,
}

impl Installation {
    /// Asks. A part that does not answer in time hides only what it would have said.
    pub(crate) async fn ask(web: &Web) -> Self {
        let (app, timeout) = (&web.app, web.settings.part_timeout);
        let now = app.clock.now();
        let report = app.store.read(move |tx| tx.operator_report(now));
        // A sandbox may have moved its own clock.
        let before = Clock::System.now();
        let disks = disks::measure(web.settings.watched_directories.clone());
        let (report, database, documents, disks) = tokio::join!(
            tokio::time::timeout(timeout, report),
            web.write_probe.check(app, timeout),
            web.storage_probe.check(app, timeout),
            web.disk_measure.ask(timeout, disks),
        );
        let report = report.ok().and_then(Result::ok);
        let depths = app.store.queue_depths();
        let (waiting_pages, pages) = app.pages.queue_depths();
        let mut skews = Vec::new();
        if let Some(report) = &report {
            let ahead = before.as_micros() - report.database_time.as_micros();
            skews.push(("database".to_owned(), SignedDuration::from_micros(ahead)));
        }
        for authority in app.notary.time_stamping() {
            skews.extend(authority.skew().map(|skew| (authority.name().to_owned(), skew)));
        }
        Self {
            queues: [
                ("reads", depths.reads),
                ("writes", depths.writes),
                ("records", app.recorder.depth()),
                ("page_images", waiting_pages),
                ("page_images_under_way", pages),
            ],
            writable: [("database", database), ("documents", documents)],
            disks: disks.unwrap_or_default(),
            skews,
            report,
            scrub_round: app.policy.scrub_round,
            now,
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "firmeza_build",
            "The program: its version, and the newest migration that it knows",
            Info::new(BuildLabels {
                version: env!("CARGO_PKG_VERSION"),
                migration: store::LATEST_VERSION,
            }),
        );
        let depths = Family::<QueueLabel, Gauge>::default();
        for (queue, depth) in self.queues {
            let depth = i64::try_from(depth).unwrap_or(i64::MAX);
            depths.get_or_create(&QueueLabel { queue }).set(depth);
        }
        registry.register("firmeza_queue_depth", "Work that waits for its turn", depths);
        let writable = Family::<PartLabel, Gauge>::default();
        for (part, up) in self.writable {
            writable.get_or_create(&PartLabel { part }).set(i64::from(up));
        }
        registry.register(
            "firmeza_writable",
            "Whether a trial write just succeeded, in the database and in the storage of documents",
            writable,
        );
        self.register_disks(registry);
        let skews = Family::<ClockLabel, Seconds>::default();
        for (against, skew) in &self.skews {
            let against = against.clone();
            skews
                .get_or_create(&ClockLabel { against })
                .set(skew.as_secs_f64());
        }
        registry.register(
            "firmeza_clock_skew_seconds",
            "How far this machine's clock is ahead of the database's, and of a timestamp authority's last answer",
            skews,
        );
        registry.register(
            "firmeza_scrub_round_seconds",
            "Within how long all documents are to be checked for damage; 0 where that is switched off",
            ConstGauge::new(self.scrub_round.map_or(0, |round| round.as_secs())),
        );
        if let Some(report) = &self.report {
            register_report(registry, report, self.now);
        }
    }

    fn register_disks(&self, registry: &mut Registry) {
        let family = Family::<PlaceLabel, Gauge<u64, AtomicU64>>::default;
        let (sizes, bytes, inodes) = (family(), family(), family());
        for disk in &self.disks {
            let label = PlaceLabel { place: disk.place };
            sizes.get_or_create(&label).set(disk.size_bytes);
            bytes.get_or_create(&label).set(disk.free_bytes);
            if let Some(free) = disk.free_inodes {
                inodes.get_or_create(&label).set(free);
            }
        }
        registry.register("firmeza_disk_size_bytes", "The size of a disk", sizes);
        registry.register("firmeza_disk_free_bytes", "Room that is left on a disk", bytes);
        registry.register(
            "firmeza_disk_free_inodes",
            "Files that a disk still takes, where their number is fixed",
            inodes,
        );
    }
}

fn register_report(registry: &mut Registry, report: &OperatorReport, now: Timestamp) {
    let mut gauge =
        |name: &str, help: &str, value: i64| registry.register(name, help, ConstGauge::new(value));
    gauge(
        "firmeza_outbox_waiting",
        "Messages that wait to be sent",
        report.outbox.waiting,
    );
    gauge(
        "firmeza_outbox_given_up",
        "Messages that were given up and can be tried again by hand",
        report.outbox.given_up,
    );
    gauge(
        "firmeza_damaged_documents",
        "Documents whose stored bytes are not their own: firmeza inspect names them",
        report.scrub.damaged,
    );
    gauge(
        "firmeza_scrub_started_timestamp_seconds",
        "When the check of all documents for damage that is under way began; 0 before the first one",
        seconds(report.scrub.started_at),
    );
    gauge(
        "firmeza_scrub_finished_timestamp_seconds",
        "When all documents had last been checked for damage; 0 before the first time",
        seconds(report.scrub.finished_at),
    );
    gauge(
        "firmeza_sweep_refused",
        "Whether the last sweep refused to remove anything: the log says why",
        i64::from(report.sweep_refused),
    );
    gauge(
        "firmeza_backup_finished_timestamp_seconds",
        "When firmeza backup last finished; 0 before the first time",
        seconds(report.backup.map(|backup| backup.finished_at)),
    );
    gauge(
        "firmeza_backup_missing_documents",
        "Documents that the last backup lacks, because the storage had lost or damaged them",
        report.backup.map_or(0, |backup| backup.missing_documents),
    );
    gauge(
        "firmeza_reminders_due",
        "Pending folios that are due to be looked at for reminders",
        report.reminders,
    );
    let (waiting, disabled) = report.webhooks;
    gauge(
        "firmeza_webhooks_waiting",
        "Messages that wait to be sent to webhooks that are enabled",
        waiting,
    );
    gauge(
        "firmeza_webhooks_disabled",
        "Webhooks that are told nothing any more because they failed",
        disabled,
    );
    let oldest = [report.outbox.oldest, report.oldest_account_email];
    let oldest = oldest.into_iter().flatten().min();
    let age = oldest.map_or(0.0, |oldest| now.since(oldest).as_secs_f64());
    registry.register(
        "firmeza_outbox_age_seconds",
        "How long ago the oldest message that waits was written: to a signer, or to a panel user",
        ConstGauge::new(age),
    );
    registry.register(
        "firmeza_outbox_late_recipients",
        "Recipients with a message that waits and was written more than 15 minutes ago: signers and panel users",
        ConstGauge::new(report.late_recipients),
    );
    register_moves(registry, report.increment_moves, now);
    let overdue = Family::<ReasonLabel, Gauge>::default();
    for (reason, count) in [
        ("due", report.extensions.due),
        ("timestamp_authority", report.extensions.timestamp_authority),
        ("other", report.extensions.other),
    ] {
        overdue.get_or_create(&ReasonLabel { reason }).set(count);
    }
    registry.register(
        "firmeza_extensions_overdue",
        "Signed folios whose extension is due, or failed: firmeza reseal --all-due says why",
        overdue,
    );
}

fn register_moves(registry: &mut Registry, moves: WaitingMoves, now: Timestamp) {
    registry.register(
        "firmeza_increment_moves_waiting",
        "Finished folios of which what was appended waits to be moved to the storage of documents",
        ConstGauge::new(moves.waiting),
    );
    registry.register(
        "firmeza_increment_moves_failed",
        "Those of them whose last try failed: firmeza doctor says why",
        ConstGauge::new(moves.failed),
    );
    let age = moves.oldest.map_or(0.0, |oldest| now.since(oldest).as_secs_f64());
    registry.register(
        "firmeza_increment_moves_age_seconds",
        "How long ago the oldest of them was planned",
        ConstGauge::new(age),
    );
}

/// Seconds since 1970; 0 for never.
fn seconds(at: Option<Timestamp>) -> i64 {
    at.map_or(0, |at| at.as_micros() / 1_000_000)
}
