//! A model of the rules, in a few sets: the table of states once more, written independently
//! of the implementation.

use std::collections::{BTreeMap, BTreeSet};

/// An act that a person tries, a number of seconds after the act before.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Sign(usize),
    Reject(usize, String),
    Cancel(String),
    /// Signers with the address each is to be reached at from now on.
    Resend(Vec<(usize, String)>, String),
    Approve,
    Disapprove(String),
    Drop,
    StartBulk(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Waiting,
    Complete,
    RejectedBySigner,
    Cancelled,
    Approved,
    Disapproved,
}

/// A message: what about, and to which address.
pub(crate) type Told = (&'static str, String);

/// What an allowed act brings about besides the new stage.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    pub(crate) told: Vec<Told>,
    pub(crate) events: Vec<&'static str>,
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) stage: Stage,
    pub(crate) addresses: BTreeMap<usize, String>,
    pub(crate) signed: BTreeSet<usize>,
    pub(crate) rejected: BTreeSet<usize>,
    pub(crate) observation: Option<String>,
    /// Those that a resend gave.
    pub(crate) return_urls: BTreeMap<usize, String>,
    pub(crate) dropped: bool,
    pub(crate) end: Option<i64>,
}

impl Model {
    pub(crate) fn new(addresses: BTreeMap<usize, String>, end: Option<i64>) -> Self {
        Self {
            stage: Stage::Waiting,
            addresses,
            signed: BTreeSet::new(),
            rejected: BTreeSet::new(),
            observation: None,
            return_urls: BTreeMap::new(),
            dropped: false,
            end,
        }
    }

    /// Does the act, or nothing at all when it is not allowed.
    pub(crate) fn act(&mut self, act: &Act, now: i64) -> Option<Effects> {
        let over = self.end.is_some_and(|end| now >= end);
        let waiting = self.stage == Stage::Waiting && !self.dropped;
        let to_judge = self.stage == Stage::Complete && !self.dropped;
        let may_act = |who: &usize| {
            waiting
                && !over
                && self.addresses.contains_key(who)
                && !self.signed.contains(who)
                && !self.rejected.contains(who)
        };
        match act {
            Act::Sign(who) if may_act(who) => {
                self.signed.insert(*who);
                let receipt = vec![("receipt", self.addresses[who].clone())];
                if self.signed.len() < self.addresses.len() {
                    return Some(effects(receipt, &["signed"]));
                }
                self.stage = Stage::Complete;
                let others = self.addresses.iter().filter(|(other, _)| *other != who);
                let told = others.map(|(_, address)| ("completed", address.clone()));
                Some(effects(
                    receipt.into_iter().chain(told).collect(),
                    &["signed", "completed"],
                ))
            }
            Act::Reject(who, why) if may_act(who) => {
                self.rejected.insert(*who);
                self.stage = Stage::RejectedBySigner;
                self.observation = Some(why.clone());
                let mut others = self.addresses.clone();
                others.remove(who);
                let told = others
                    .into_values()
                    .map(|address| ("rejected", address))
                    .collect();
                Some(effects(told, &["rejected"]))
            }
            Act::Cancel(why) if waiting => {
                self.stage = Stage::Cancelled;
                self.observation = Some(why.clone());
                Some(effects(self.all("cancelled"), &["cancelled"]))
            }
            Act::Resend(to, url) if !to.is_empty() && to.iter().all(|(who, _)| may_act(who)) => {
                let different: BTreeSet<_> = to.iter().map(|(who, _)| who).collect();
                if different.len() < to.len() {
                    return None;
                }
                let mut done = Effects::default();
                for (who, new) in to {
                    self.return_urls.insert(*who, url.clone());
                    let old = self.addresses.insert(*who, new.clone()).unwrap_or_default();
                    if old != *new {
                        done.told.push(("contact changed", old));
                    }
                    done.told.push(("reminder", new.clone()));
                    done.events.push("resent");
                }
                Some(done)
            }
            Act::Approve if to_judge => {
                self.stage = Stage::Approved;
                Some(effects(Vec::new(), &["approved"]))
            }
            Act::Disapprove(why) if to_judge => {
                self.stage = Stage::Disapproved;
                self.observation = Some(why.clone());
                Some(effects(Vec::new(), &["disapproved"]))
            }
            Act::Drop if self.stage != Stage::Waiting && !self.dropped => {
                self.dropped = true;
                Some(effects(Vec::new(), &["dropped"]))
            }
            Act::StartBulk(who) if may_act(who) => Some(effects(Vec::new(), &["bulk_started"])),
            _ => None,
        }
    }

    fn all(&self, about: &'static str) -> Vec<Told> {
        self.addresses
            .values()
            .map(|address| (about, address.clone()))
            .collect()
    }
}

fn effects(told: Vec<Told>, events: &[&'static str]) -> Effects {
    Effects {
        told,
        events: events.to_vec(),
    }
}
