//! The instances, running or not.

use crate::instance::{Connection, Instance};
use crate::site::Site;
use domain::InstanceId;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use tokio::time::sleep;

pub(crate) struct Cluster {
    pub(crate) site: Rc<Site>,
    instances: RefCell<Vec<Option<Instance>>>,
}

impl Cluster {
    /// With that many instances, none of which runs.
    pub(crate) fn new(site: Rc<Site>, instances: usize) -> Rc<Self> {
        let instances = RefCell::new((0..instances).map(|_| None).collect());
        Rc::new(Self { site, instances })
    }

    pub(crate) fn size(&self) -> usize {
        self.instances.borrow().len()
    }

    pub(crate) fn runs(&self, number: usize) -> bool {
        self.instances.borrow()[number].is_some()
    }

    /// The number of the instance with that identifier, if it runs.
    pub(crate) fn number_of(&self, instance: InstanceId) -> Option<usize> {
        let instances = self.instances.borrow();
        instances.iter().position(|one| {
            one.as_ref()
                .is_some_and(|one| one.app.heartbeat.instance == instance)
        })
    }

    /// Starts an instance, however often that fails.
    pub(crate) async fn start(&self, number: usize) {
        loop {
            match Instance::start(&self.site, number).await {
                Ok(instance) => {
                    self.instances.borrow_mut()[number] = Some(instance);
                    return;
                }
                Err(error) => {
                    self.site.world.note(format_args!("instance {number}: {error}"));
                    sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }

    /// Ends an instance at once.
    pub(crate) fn crash(&self, number: usize) {
        self.site.world.note(format_args!("instance {number}: crashes"));
        drop(self.instances.borrow_mut()[number].take());
    }

    /// Moves the clock of an instance, if it runs.
    pub(crate) fn step_clock(&self, number: usize, seconds: i64) {
        if let Some(instance) = &self.instances.borrow()[number] {
            self.site
                .world
                .note(format_args!("instance {number}: its clock jumps by {seconds} s"));
            instance.step_clock(seconds);
        }
    }

    /// A connection to one of the instances that run.
    pub(crate) async fn connect(&self) -> Connection {
        loop {
            let connections: Vec<_> = {
                let instances = self.instances.borrow();
                instances.iter().flatten().map(Instance::connection).collect()
            };
            let running = connections.len() as u64;
            if running > 0 {
                let chosen = usize::try_from(self.site.world.chance.below(running)).unwrap();
                return connections.into_iter().nth(chosen).unwrap();
            }
            sleep(Duration::from_millis(500)).await;
        }
    }
}
