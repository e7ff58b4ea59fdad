//! Questions to disks and storages that may never answer: a network file system may hang, and the thread that asked it is
//! gone until it answers. There are 512 such threads for everything, and monitoring tools ask several times a minute.

use std::time::Duration;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// Asks one question at a time: none is asked while an earlier one has no answer.
#[derive(Debug)]
pub(crate) struct SingleFlight<T>(Mutex<Option<JoinHandle<T>>>);

impl<T> Default for SingleFlight<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Send + 'static> SingleFlight<T> {
    /// The answer to this question, or to an earlier one that waited for its own until now; nothing if none comes in time. A
    /// question goes on by itself when the time is over.
    pub(crate) async fn ask(
        &self,
        timeout: Duration,
        question: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let answer = async {
            let mut pending = self.0.lock().await;
            // Its answer may be of long ago.
            if pending.as_ref().is_some_and(JoinHandle::is_finished) {
                *pending = None;
            }
            let answer = pending.get_or_insert_with(|| tokio::spawn(question)).await;
            *pending = None;
            answer.ok()
        };
        tokio::time::timeout(timeout, answer).await.ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::Notify;

    #[tokio::test]
    async fn nothing_is_asked_while_an_earlier_question_has_no_answer() {
        let (asked, answers) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let question = || {
            let (asked, answers) = (Arc::clone(&asked), Arc::clone(&answers));
            async move {
                let number = asked.fetch_add(1, Ordering::SeqCst);
                answers.notified().await;
                number
            }
        };
        let (now, long) = (Duration::ZERO, Duration::from_mins(5));
        let flight = SingleFlight::default();
        for _ in 0..3 {
            assert_eq!(flight.ask(now, question()).await, None);
        }
        answers.notify_one();
        assert_eq!(flight.ask(long, question()).await, Some(0), "the first one's");
        assert_eq!(asked.load(Ordering::SeqCst), 1);

        assert_eq!(flight.ask(now, question()).await, None);
        answers.notify_one();
        while !flight.0.lock().await.as_ref().unwrap().is_finished() {
            tokio::task::yield_now().await;
        }
        answers.notify_one();
        assert_eq!(flight.ask(long, question()).await, Some(2), "not one of long ago");
    }
}
