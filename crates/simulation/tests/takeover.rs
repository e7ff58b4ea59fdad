//! What a dead instance held is another's soon, by a clock that is exact.

use simulation::{LeasedQueue, takeover};
use std::time::Duration;

const SEEDS: u64 = 8;
/// From the crash to the next lease: the end of the heartbeat, and the longest time from one look to the next. An extender or an
/// increment mover looks every five seconds.
const PROMISED: Duration = Duration::from_secs(15);

#[test]
fn what_a_dead_instance_held_is_taken_over_within_fifteen_seconds() {
    for queue in LeasedQueue::ALL {
        for seed in 0..SEEDS {
            let after = takeover(seed, queue);
            println!("{queue:?}, seed {seed}: {after:?}");
            assert!(
                after > Duration::ZERO && after <= PROMISED,
                "{queue:?}, seed {seed}: {after:?}"
            );
        }
    }
}
