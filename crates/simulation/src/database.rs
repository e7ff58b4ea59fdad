//! The way from an instance to the database: requests and answers take time, and get lost.

use crate::site::Site;
use std::rc::Rc;
use std::time::Duration;
use store::Error;
use store::simulated::{QueuedTransaction, TransactionQueue};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Runs an instance's transactions until the task is aborted. What is under way then is lost with it: not begun, or
/// committed without an answer.
pub(crate) async fn run_transactions(site: Rc<Site>, instance: usize, queue: TransactionQueue) {
    let mut under_way = JoinSet::new();
    loop {
        let transaction = queue.next().await;
        under_way.spawn_local(run_transaction(Rc::clone(&site), instance, transaction));
        while under_way.try_join_next().is_some() {}
    }
}

async fn run_transaction(site: Rc<Site>, instance: usize, transaction: QueuedTransaction) {
    let world = &site.world;
    let kind = if transaction.writes() { "write" } else { "read" };
    sleep(world.chance.millis(0..4)).await;
    if world.fails(100) {
        // Longer than its caller waits, or not.
        let stall = world.chance.millis(5_000..25_000);
        world.note(format_args!("instance {instance}: {kind} is stalled"));
        sleep(stall).await;
    }
    if world.is_database_away() || world.fails(40) {
        world.note(format_args!("instance {instance}: {kind} is refused"));
        transaction.refuse(Error::Unavailable("connection refused".into()));
        return;
    }
    let writes = transaction.writes();
    let executed = site
        .database
        .run(transaction, world.database_clock(), world.fails(6));
    if writes {
        world.note(format_args!("instance {instance}: write is done"));
    }
    sleep(world.chance.millis(0..3)).await;
    if world.fails(40) {
        world.note(format_args!(
            "instance {instance}: the answer to a {kind} is lost"
        ));
        sleep(Duration::from_millis(100)).await;
        executed.lose_answer();
    } else {
        executed.answer();
    }
}
