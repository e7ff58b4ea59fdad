//! How long what a crashed instance had leased waits for another.

use crate::client::Order;
use crate::cluster::Cluster;
use crate::faults::start_all;
use crate::run::in_simulation;
use crate::site::Site;
use domain::InstanceId;
use std::rc::Rc;
use std::time::Duration;
use tokio::task::spawn_local;
use tokio::time::{Instant, sleep};

/// How long the simulation waits for anything.
const WAIT_TIMEOUT: Duration = Duration::from_mins(30);

/// A queue whose rows an instance leases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeasedQueue {
    /// Messages to signers.
    Outbox,
    /// Webhook events.
    Webhooks,
    /// Signed folios whose documents are extended.
    Extensions,
    /// Finished folios whose increments are moved.
    IncrementMoves,
}

impl LeasedQueue {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Outbox,
        Self::Webhooks,
        Self::Extensions,
        Self::IncrementMoves,
    ];

    /// Who leased each row.
    const fn holders(self) -> &'static str {
        match self {
            Self::Outbox => "SELECT leased_by FROM outbox WHERE state = 'waiting' AND leased_by IS NOT NULL",
            Self::Webhooks => {
                "SELECT leased_by FROM webhook_deliveries WHERE state = 'waiting' AND leased_by IS NOT NULL"
            }
            Self::Extensions => "SELECT leased_by FROM extensions WHERE leased_by IS NOT NULL",
            Self::IncrementMoves => "SELECT leased_by FROM increment_moves WHERE leased_by IS NOT NULL",
        }
    }
}

/// Crashes the instance that first leases something of a queue; how long after that nothing of it is the dead instance's any
/// more. Nothing else goes wrong.
pub fn takeover(seed: u64, queue: LeasedQueue) -> Duration {
    in_simulation(seed, async |site| {
        let cluster = Cluster::new(Rc::clone(&site), 2);
        start_all(&cluster).await;
        for number in 0..3 {
            let order = Order::of(&cluster, number);
            drop(spawn_local(order.carry_out(Rc::clone(&cluster))));
        }
        let (mut holder, begun) = (None, Instant::now());
        while holder.is_none() {
            assert!(begun.elapsed() < WAIT_TIMEOUT, "nothing of {queue:?} is leased");
            sleep(Duration::from_millis(1)).await;
            holder = holders(&site, queue).first().copied();
        }
        let dead = holder.expect("an instance");
        cluster.crash(cluster.number_of(dead).expect("it runs"));
        let crashed = Instant::now();
        while holders(&site, queue).contains(&dead) {
            assert!(crashed.elapsed() < WAIT_TIMEOUT, "{queue:?} is not taken over");
            sleep(Duration::from_millis(10)).await;
        }
        crashed.elapsed()
    })
}

fn holders(site: &Site, queue: LeasedQueue) -> Vec<InstanceId> {
    site.database.inspect(|connection| {
        let mut statement = connection.prepare_cached(queue.holders()).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(|row| InstanceId::from_bytes(row.unwrap())).collect()
    })
}
