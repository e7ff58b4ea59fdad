//! The memory that documents may take while somebody looks at them whole, or while they travel.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Error;

const UNIT: u64 = 1024;

/// What a fresh store allows itself: 32 MiB.
pub(crate) const DEFAULT: u64 = 32 * 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Budget {
    units: u32,
    left: Arc<Semaphore>,
}

impl Budget {
    pub(crate) fn new(bytes: u64) -> Self {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).max(1);
        let permits = usize::try_from(units)
            .unwrap_or(usize::MAX)
            .min(Semaphore::MAX_PERMITS);
        Self {
            units,
            left: Arc::new(Semaphore::new(permits)),
        }
    }

    /// Waits, in the order of arrival, for `bytes`; whoever asks for more than there is gets all of it.
    pub(crate) async fn take(&self, bytes: u64) -> Result<OwnedSemaphorePermit, Error> {
        let units = u32::try_from(bytes.div_ceil(UNIT))
            .unwrap_or(u32::MAX)
            .min(self.units);
        Arc::clone(&self.left)
            .acquire_many_owned(units)
            .await
            .map_err(Error::interrupted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_document_larger_than_the_budget_takes_all_of_it() {
        let budget = Budget::new(10 * UNIT);
        let all = budget.take(1 << 40).await.unwrap();
        assert_eq!(budget.left.available_permits(), 0);
        drop(all);
        let _some = budget.take(UNIT + 1).await.unwrap();
        assert_eq!(budget.left.available_permits(), 8);
    }
}
