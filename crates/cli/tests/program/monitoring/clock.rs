//! How far this machine's clock is from those that it works with.

use super::metrics_at;
use crate::support::{Installation, Order, sign_all, stamped_by_another, wait_for};

/// The authority's clock is ahead of ours by this.
const AHEAD_SECONDS: i64 = 240;

#[test]
fn the_skew_against_the_timestamp_authority_is_in_the_metrics() {
    let port = parts::free_port().unwrap();
    let installation = Installation::new().with("FIRMEZA_METRICS_LISTEN", format!("127.0.0.1:{port}"));
    let installation = stamped_by_another(installation, AHEAD_SECONDS);
    let _server = installation.serve();
    let skew = || {
        let series = "firmeza_clock_skew_seconds{against=\"127.0.0.1\"} ";
        let text = metrics_at(port);
        let line = text.lines().find_map(|line| line.strip_prefix(series));
        line.map(|value| value.parse::<f64>().unwrap())
    };
    // The authority was not asked yet.
    assert_eq!(skew(), None);
    let client = installation.client();
    let folio = client.created(&Order::small());
    sign_all(&client, &folio);
    wait_for("the authority's answer", || skew().is_some());
    // Ours is behind: by the difference, and by what the answer took.
    let found = skew().unwrap();
    assert!((-3600.0..=-239.0).contains(&found), "{found}");
}
