use super::*;
use std::pin::Pin;

const BOUNDS: Bounds = Bounds {
    draws: 3,
    requester_draws: 2,
    requester_queue: 4,
    company_queue: 6,
    queue: 8,
};

type Acquiring = Pin<Box<dyn Future<Output = Result<Permit<u8>, Full>>>>;

fn company(number: u8) -> CompanyId {
    CompanyId(number.into())
}

fn queue() -> Arc<FairQueue<u8>> {
    Arc::new(FairQueue::new(BOUNDS))
}

/// Polls a new waiter once, and returns it with the result.
async fn ask(queue: &Arc<FairQueue<u8>>, of: u8, requester: u8) -> Asked {
    let queue = Arc::clone(queue);
    let mut asked = Asked {
        acquiring: Box::pin(async move { queue.acquire(company(of), requester).await }),
        outcome: None,
    };
    asked.look().await;
    asked
}

struct Asked {
    acquiring: Acquiring,
    outcome: Option<Result<Permit<u8>, Full>>,
}

impl Asked {
    async fn look(&mut self) -> &Option<Result<Permit<u8>, Full>> {
        if self.outcome.is_none() {
            let polled = futures_util::poll!(&mut self.acquiring);
            if let std::task::Poll::Ready(outcome) = polled {
                self.outcome = Some(outcome);
            }
        }
        &self.outcome
    }

    async fn runs(&mut self) -> bool {
        matches!(self.look().await, Some(Ok(_)))
    }
}

#[tokio::test]
async fn a_requester_has_two_draws_and_a_company_leaves_one_to_the_others() {
    let queue = queue();
    let mut own = [
        ask(&queue, 1, 1).await,
        ask(&queue, 1, 1).await,
        ask(&queue, 1, 1).await,
    ];
    assert!(own[0].runs().await && own[1].runs().await && !own[2].runs().await);
    let mut colleague = ask(&queue, 1, 2).await;
    assert!(!colleague.runs().await, "the last draw is for another company");
    let mut stranger = ask(&queue, 2, 1).await;
    assert!(stranger.runs().await);
    // The colleague comes before the requester who has just had two.
    own[0].outcome = None;
    assert!(colleague.runs().await && !own[2].runs().await);
    assert_eq!(queue.depth(), (3, 1));
}

#[tokio::test]
async fn companies_take_turns_however_many_wait_of_one() {
    let queue = queue();
    let mut first = Vec::new();
    for requester in 0..6 {
        first.push(ask(&queue, 1, requester).await);
    }
    let mut second = [
        ask(&queue, 2, 1).await,
        ask(&queue, 2, 2).await,
        ask(&queue, 2, 3).await,
    ];
    assert!(first[0].runs().await && first[1].runs().await && second[0].runs().await);
    // One ends after the other, the oldest first; the free draw goes to the company that had none for longer.
    first[0].outcome = None;
    assert!(
        first[2].runs().await && !second[1].runs().await,
        "1 had its last turn before 2"
    );
    first[1].outcome = None;
    assert!(second[1].runs().await, "now it is 2's turn");
    assert!(!first[3].runs().await);
    second[0].outcome = None;
    assert!(first[3].runs().await && !second[2].runs().await);
    first[2].outcome = None;
    assert!(second[2].runs().await && !first[4].runs().await);
}

#[tokio::test]
async fn what_waits_has_a_bound_by_requester_by_company_and_in_all() {
    let queue = queue();
    let mut asked = Vec::new();
    for _ in 0..6 {
        asked.push(ask(&queue, 1, 1).await);
    }
    assert_eq!(queue.depth(), (2, 4));
    assert_eq!(
        ask(&queue, 1, 1).await.outcome.unwrap().unwrap_err(),
        Full::Requester
    );
    for requester in 2..4 {
        asked.push(ask(&queue, 1, requester).await);
    }
    assert_eq!(
        ask(&queue, 1, 4).await.outcome.unwrap().unwrap_err(),
        Full::Queue,
        "of the company"
    );
    for _ in 0..3 {
        asked.push(ask(&queue, 2, 1).await);
    }
    assert_eq!(queue.depth(), (3, 8));
    assert_eq!(
        ask(&queue, 3, 1).await.outcome.unwrap().unwrap_err(),
        Full::Queue,
        "of all"
    );
    assert_eq!(queue.depth(), (3, 8));
    drop(asked);
    assert_eq!(queue.depth(), (0, 0));
}

#[tokio::test]
async fn a_full_queue_does_not_keep_a_draw_from_a_company_that_may_have_it() {
    let queue = queue();
    let mut asked = Vec::new();
    for requester in [1, 1, 1, 1, 1, 1, 2, 2] {
        asked.push(ask(&queue, 1, requester).await);
    }
    assert_eq!(queue.depth(), (2, 6), "all that one company may let wait");
    assert!(ask(&queue, 2, 1).await.runs().await);
}

#[tokio::test]
async fn who_gives_up_leaves_the_queue_and_gives_back_what_was_granted_meanwhile() {
    let queue = queue();
    let mut running = vec![ask(&queue, 1, 1).await, ask(&queue, 1, 1).await];
    let gone = ask(&queue, 1, 1).await;
    let next = ask(&queue, 1, 2).await;
    assert_eq!(queue.depth(), (2, 2));
    drop(gone);
    assert_eq!(queue.depth(), (2, 1));
    // Granted, but not yet looked at.
    running.remove(0);
    assert_eq!(queue.depth(), (2, 0));
    let mut last = ask(&queue, 1, 3).await;
    assert!(!last.runs().await);
    drop(next);
    assert!(last.runs().await);
}

#[tokio::test]
async fn turns_are_remembered_of_a_bounded_number() {
    let queue = queue();
    for number in 0..=u8::MAX {
        assert!(ask(&queue, number, 1).await.runs().await);
        // The runtime lets a task look at channels so often only before it yields.
        tokio::task::yield_now().await;
    }
    let state = queue.lock();
    assert!(state.requester_turns.len() <= 4 * BOUNDS.queue + 1);
    assert!(state.company_turns.len() <= 4 * BOUNDS.queue + 1);
}
