//! Decides which page is drawn next: companies take turns, and so do the requesters of a company. No requester and no
//! company ever has all the workers, and the number of waiting draws of each is bounded.

use domain::CompanyId;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// How many draws there may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Under way, in all. One company has at most one less.
    pub(super) draws: usize,
    /// Under way, of one requester.
    pub(super) requester_draws: usize,
    /// Waiting, of one requester.
    pub(super) requester_queue: usize,
    /// Waiting, of one company.
    pub(super) company_queue: usize,
    /// Waiting, in all.
    pub(super) queue: usize,
}

/// Why a draw cannot even wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// The requester has too many waiting.
    Requester,
    /// There are too many waiting, of its company or in all.
    Queue,
}

/// A queue of draws, by requester.
#[derive(Debug)]
pub(super) struct FairQueue<R> {
    bounds: Bounds,
    state: Mutex<State<R>>,
}

#[derive(Debug)]
struct State<R> {
    /// One entry for each draw under way.
    running: Vec<(CompanyId, R)>,
    /// The waiting draws, in the order of arrival.
    waiting: Vec<Waiter<R>>,
    /// When companies and requesters last began a draw, by the number of the draw.
    company_turns: HashMap<CompanyId, u64>,
    requester_turns: HashMap<(CompanyId, R), u64>,
    turn: u64,
    arrivals: u64,
}

#[derive(Debug)]
struct Waiter<R> {
    arrival: u64,
    company: CompanyId,
    requester: R,
    permit: oneshot::Sender<()>,
}

/// The right to one draw, until it is dropped.
#[derive(Debug)]
pub(super) struct Permit<R: Clone + Eq + Hash> {
    queue: Arc<FairQueue<R>>,
    arrival: u64,
    company: CompanyId,
    requester: R,
}

impl<R: Clone + Eq + Hash> FairQueue<R> {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            state: Mutex::new(State {
                running: Vec::new(),
                waiting: Vec::new(),
                company_turns: HashMap::new(),
                requester_turns: HashMap::new(),
                turn: 0,
                arrivals: 0,
            }),
        }
    }

    /// Draws that wait, and draws under way.
    pub(super) fn depths(&self) -> (usize, usize) {
        let state = self.lock();
        (state.waiting.len(), state.running.len())
    }

    /// Waits for a permit. Dropping the future removes the waiter.
    pub(super) async fn acquire(
        self: &Arc<Self>,
        company: CompanyId,
        requester: R,
    ) -> Result<Permit<R>, Full> {
        let (permit, granted) = oneshot::channel();
        // From here on dropping it takes the waiter out, or gives the draw back.
        let own = {
            let mut state = self.lock();
            state.arrivals += 1;
            let arrival = state.arrivals;
            state.waiting.push(Waiter {
                arrival,
                company,
                requester: requester.clone(),
                permit,
            });
            state.grant(&self.bounds);
            if let Some(full) = state.too_many(&self.bounds, company, &requester, arrival) {
                state.waiting.retain(|waiter| waiter.arrival != arrival);
                return Err(full);
            }
            Permit {
                queue: Arc::clone(self),
                arrival,
                company,
                requester,
            }
        };
        // The sender lives as long as the waiter, which only its own permit takes out.
        granted.await.map_err(|_| Full::Queue)?;
        Ok(own)
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many draws are under way, and how many wait.
    #[cfg(test)]
    pub(super) fn depth(&self) -> (usize, usize) {
        let state = self.lock();
        (state.running.len(), state.waiting.len())
    }
}

impl<R: Clone + Eq + Hash> Drop for Permit<R> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        let waits = state
            .waiting
            .iter()
            .position(|waiter| waiter.arrival == self.arrival);
        if let Some(place) = waits {
            state.waiting.remove(place);
            return;
        }
        let own =
            |(company, requester): &(CompanyId, R)| *company == self.company && *requester == self.requester;
        if let Some(place) = state.running.iter().position(own) {
            state.running.swap_remove(place);
        }
        state.grant(&self.queue.bounds);
    }
}

impl<R: Clone + Eq + Hash> State<R> {
    /// Gives out what is free.
    fn grant(&mut self, bounds: &Bounds) {
        while let Some(place) = self.next(bounds) {
            let waiter = self.waiting.remove(place);
            let requester = (waiter.company, waiter.requester);
            self.turn += 1;
            self.company_turns.insert(waiter.company, self.turn);
            self.requester_turns.insert(requester.clone(), self.turn);
            self.running.push(requester);
            // Where the receiver is gone, the permit is being dropped, and gives the draw back.
            let _ = waiter.permit.send(());
        }
        self.forget_turns(bounds);
    }

    /// The place of the waiter whose turn it is: of the company that has waited longest for one, and of its requester
    /// that has; among those, the first to arrive.
    fn next(&self, bounds: &Bounds) -> Option<usize> {
        if self.running.len() >= bounds.draws {
            return None;
        }
        let may_run = |waiter: &Waiter<R>| {
            let of_company = self
                .running
                .iter()
                .filter(|(company, _)| *company == waiter.company);
            let (mut company, mut requester) = (0, 0);
            for (_, one) in of_company {
                company += 1;
                requester += usize::from(*one == waiter.requester);
            }
            company < bounds.draws.saturating_sub(1).max(1) && requester < bounds.requester_draws
        };
        let last = |waiter: &Waiter<R>| {
            let company = self.company_turns.get(&waiter.company).copied();
            let requester = (waiter.company, waiter.requester.clone());
            (company, self.requester_turns.get(&requester).copied())
        };
        let ready = self.waiting.iter().enumerate();
        let ready = ready.filter(|(_, waiter)| may_run(waiter));
        ready
            .min_by_key(|(_, waiter)| last(waiter))
            .map(|(place, _)| place)
    }

    /// Whether the newest waiter is one too many.
    fn too_many(&self, bounds: &Bounds, company: CompanyId, requester: &R, arrival: u64) -> Option<Full> {
        self.waiting.iter().find(|waiter| waiter.arrival == arrival)?;
        let of_company = || {
            self.waiting
                .iter()
                .filter(move |waiter| waiter.company == company)
        };
        let own = of_company()
            .filter(|waiter| waiter.requester == *requester)
            .count();
        if own > bounds.requester_queue {
            Some(Full::Requester)
        } else if of_company().count() > bounds.company_queue || self.waiting.len() > bounds.queue {
            Some(Full::Queue)
        } else {
            None
        }
    }

    /// Forgets the turns of those who no longer wait, once there are many.
    fn forget_turns(&mut self, bounds: &Bounds) {
        if self.requester_turns.len() <= 4 * bounds.queue {
            return;
        }
        let waiting = &self.waiting;
        self.company_turns
            .retain(|company, _| waiting.iter().any(|waiter| waiter.company == *company));
        self.requester_turns.retain(|(company, requester), _| {
            waiting
                .iter()
                .any(|waiter| waiter.company == *company && waiter.requester == *requester)
        });
    }
}

#[cfg(test)]
mod tests;
