//! What goes wrong beside lost requests and answers: instances crash, the database is away, clocks jump, documents lose bits, and
//! orphans age.

use crate::cluster::Cluster;
use crate::invariants::documents;
use crate::site::Site;
use blobs::PendingBlob;
use std::rc::Rc;
use std::time::Duration;
use tokio::task::{JoinSet, spawn_local};
use tokio::time::{Instant, sleep};

/// The largest step is two days: more than what is kept for a day by an instance's clock would survive.
const CLOCK_STEPS: [i64; 6] = [-172_800, -3_600, -90, 90, 3_600, 172_800];

/// Lets things go wrong for a while, and mends them in the end.
pub(crate) async fn go_wrong(cluster: &Rc<Cluster>, span: Duration) {
    let world = &cluster.site.world;
    let chance = &world.chance;
    let mut steps = vec![0; cluster.size()];
    let mut restarts = JoinSet::new();
    let end = Instant::now() + span;
    world.set_faulty(true);
    while Instant::now() < end {
        sleep(chance.millis(500..8_000)).await;
        let number = usize::try_from(chance.below(cluster.size() as u64)).unwrap();
        match chance.below(18) {
            0..5 if cluster.runs(number) => {
                cluster.crash(number);
                // It starts with a clock that is right.
                steps[number] = 0;
                let (cluster, pause) = (Rc::clone(cluster), chance.millis(200..15_000));
                restarts.spawn_local(async move {
                    sleep(pause).await;
                    cluster.start(number).await;
                });
            }
            5..7 => {
                let span = chance.millis(500..14_000);
                world.note(format_args!("the database is away for {span:?}"));
                world.take_database_away(span);
            }
            7..9 if cluster.runs(number) => {
                let step = CLOCK_STEPS[usize::try_from(chance.below(6)).unwrap()] - steps[number];
                steps[number] += step;
                cluster.step_clock(number, step);
            }
            9 => {
                let seconds = i64::try_from(chance.below(120)).unwrap() - 60;
                world.note(format_args!("the database's clock jumps by {seconds} s"));
                world.step_database_clock(seconds);
            }
            10..13 => age_orphans(&cluster.site),
            13..16 => leave_orphan(&cluster.site).await,
            16..18 => {
                let documents = documents(&cluster.site);
                if !documents.is_empty() {
                    let chosen = usize::try_from(chance.below(documents.len() as u64)).unwrap();
                    world.note(format_args!("document {chosen} loses a bit"));
                    cluster.site.damage(documents[chosen].0, true);
                }
            }
            _ => {}
        }
    }
    world.set_faulty(false);
    world.note("no more faults");
    while restarts.join_next().await.is_some() {}
    for (number, step) in steps.into_iter().enumerate() {
        if step != 0 {
            cluster.step_clock(number, -step);
        }
    }
}

/// What a client leaves that goes away: the bytes of a document that another create may still bring, or never does.
async fn leave_orphan(site: &Site) {
    let name = format!("Contrato {}", site.world.chance.below(6));
    site.world
        .note(format_args!("{name} is stored, and no row names it"));
    let orphan = PendingBlob::of(testkit::pdf::saying(&name));
    if let Err(error) = site.blobs.persist(vec![orphan]).await {
        site.world.note(format_args!("it is not stored: {error}"));
    }
}

/// As if the sweeper had marked orphans two hours ago: it removes them with its next look. What it has removed stays noted.
fn age_orphans(site: &Site) {
    site.world.note("orphans are two hours older");
    site.database.inspect(|connection| {
        let sql = "UPDATE orphaned_blobs SET orphaned_at = orphaned_at - 7200000000";
        connection.execute(sql, []).unwrap()
    });
}

/// Starts all instances.
pub(crate) async fn start_all(cluster: &Rc<Cluster>) {
    for number in 0..cluster.size() {
        let cluster = Rc::clone(cluster);
        spawn_local(async move { cluster.start(number).await })
            .await
            .unwrap();
    }
}
