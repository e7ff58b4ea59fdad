//! Backups of a test application.

use crate::app::TestApp;
use crate::stack::master_key;
use app::Clock;
use app::operator::backup::{Taken, Thoroughness, take};
use std::path::Path;

impl TestApp {
    /// Takes a backup into that directory.
    pub async fn back_up(&self, directory: &Path) -> Taken {
        let (inner, master) = (self.app(), master_key());
        let taken = take(
            self.database(),
            &inner.store,
            &inner.blobs,
            &master,
            &Clock::System,
            directory,
            Thoroughness::Both,
        );
        taken.await.unwrap()
    }
}
