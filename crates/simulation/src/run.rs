//! One simulation, from a seed to what is wrong after it.

use crate::chance::Chance;
use crate::client::Order;
use crate::cluster::Cluster;
use crate::faults::{go_wrong, start_all};
use crate::invariants::{documents, note_waiting, reported_damage, signed_documents, unsettled, violations};
use crate::site::Site;
use crate::world::World;
use app::operator::integrity::check_newest_folios;
use blobs::simulated::Fault;
use sha2::{Digest, Sha256};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{sleep, timeout};

/// How long faults may happen.
const FAULTS_MILLIS: std::ops::Range<u64> = 15_000..45_000;
/// How long after the last fault everything has to be done: the longest pauses are those between two codes.
const TIME_TO_SETTLE: Duration = Duration::from_mins(40);
/// How long after that documents may be damaged: where the answer to a claim of the scrubber was lost, its lease has to end first.
const TIME_TO_MEND: Duration = Duration::from_mins(30);

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Everything, in order, with the milliseconds since the beginning.
    pub trace: Vec<String>,
    /// What must not have happened.
    pub violations: Vec<String>,
}

/// Runs the simulation of a seed. The same seed gives the same run.
pub fn run(seed: u64) -> Run {
    in_simulation(seed, async |site| {
        let violations = simulate(&site).await;
        Run {
            trace: site.world.take_trace(),
            violations,
        }
    })
}

/// Has something done with a new installation, in simulated time.
pub(crate) fn in_simulation<T>(seed: u64, act: impl AsyncFnOnce(Rc<Site>) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let outcome = LocalSet::new().block_on(&runtime, async {
        let world = Arc::new(World::new(Chance::of_seed(seed)));
        let site = Rc::new(Site::copy(Arc::clone(&world)));
        take_over_this_thread(seed, &world);
        act(site).await
    });
    drop(runtime);
    app::shared::simulated::set_random(None);
    blobs::simulated::set_faults(None);
    outcome
}

fn take_over_this_thread(seed: u64, world: &Arc<World>) {
    let random = Chance::of_seed(!seed);
    app::shared::simulated::set_random(Some(Box::new(move |bytes| random.fill(bytes))));
    let world = Arc::clone(world);
    blobs::simulated::set_faults(Some(Box::new(move || {
        let fault = match world.chance.below(30) {
            0 if world.is_faulty() => Fault::Refused,
            1 if world.is_faulty() => Fault::AnswerLost,
            _ => return Fault::None,
        };
        world.note(format_args!("storage: {fault:?}"));
        fault
    })));
}

async fn simulate(site: &Rc<Site>) -> Vec<String> {
    let chance = &site.world.chance;
    let cluster = Cluster::new(Rc::clone(site), 2 + usize::from(chance.one_in(3)));
    start_all(&cluster).await;
    let mut clients = JoinSet::new();
    for number in 0..3 {
        let (order, cluster, begin) = (
            Order::of(&cluster, number),
            Rc::clone(&cluster),
            chance.millis(0..15_000),
        );
        clients.spawn_local(async move {
            sleep(begin).await;
            order.carry_out(cluster).await
        });
    }
    go_wrong(&cluster, chance.millis(FAULTS_MILLIS)).await;
    // One instance is enough to do what the others left.
    for number in 1..cluster.size() {
        cluster.crash(number);
    }
    let Ok(orders) = timeout(TIME_TO_SETTLE, clients.join_all()).await else {
        note_waiting(site);
        return vec!["stuck: a client's order is not carried out".to_owned()];
    };
    let settled = timeout(TIME_TO_SETTLE, async {
        while !unsettled(site).is_empty() {
            sleep(Duration::from_secs(2)).await;
        }
    });
    if settled.await.is_err() {
        note_waiting(site);
        return unsettled(site);
    }
    let mut found = violations(site, &orders);
    found.extend(storage_violations(site).await);
    let store = cluster.connect().await.app.store.clone();
    let histories = check_newest_folios(&store, 1000).await.unwrap();
    found.extend(histories.messages);
    found
}

/// What is wrong with the storage. Damage that was done is mended by now, or soon; damage that cannot be mended is reported.
async fn storage_violations(site: &Site) -> Vec<String> {
    let mended = timeout(TIME_TO_MEND, async {
        while !damaged(site).await.is_empty() || reported_damage(site) > 0 {
            sleep(Duration::from_secs(10)).await;
        }
    });
    if mended.await.is_err() {
        let mut found = damaged(site).await;
        found.push(format!("{} documents count as damaged", reported_damage(site)));
        return found;
    }
    let mut found = Vec::new();
    for signed in signed_documents(site) {
        let mut hash = Sha256::new();
        for (blob, size) in signed.blobs {
            hash.update(site.blobs.read_whole(blob, size).await.unwrap());
        }
        if <[u8; 32]>::from(hash.finalize()) != signed.sha256 {
            found.push(format!(
                "document {} has other bytes than were signed",
                signed.blobs[0].0
            ));
        }
    }
    if let Some((blob, size)) = documents(site).last().copied()
        && site.world.chance.one_in(4)
    {
        site.world.note("the last document loses a bit");
        site.damage(blob, false);
        // Where it lost one before, the other storage has it.
        let noticed = timeout(TIME_TO_MEND, async {
            while reported_damage(site) == 0 && site.blobs.verify(blob, size).await.is_err() {
                sleep(Duration::from_secs(10)).await;
            }
        });
        if noticed.await.is_err() {
            found.push(format!(
                "damage of document {blob} is neither mended nor reported"
            ));
        }
    }
    found
}

/// The blobs that rows name and that are not there as they should be.
async fn damaged(site: &Site) -> Vec<String> {
    let mut found = Vec::new();
    for (blob, size) in documents(site) {
        if let Err(error) = site.blobs.verify(blob, size).await {
            found.push(format!("{blob}: {error}"));
        }
    }
    found
}
