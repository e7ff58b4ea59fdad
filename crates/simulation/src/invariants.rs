//! What must hold after every simulation: nothing lost, nothing twice, nothing stuck, every history whole.

use crate::client::{Order, Wish};
use crate::site::Site;
use blobs::BlobId;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params};
use std::collections::{BTreeMap, BTreeSet};

/// Work that is due, or held by an instance. Webhooks may wait for their next attempt, messages may not: the faults were
/// too short for that.
const UNSETTLED: [(&str, &str); 7] = [
    (
        "messages wait",
        "SELECT COUNT(*) FROM outbox WHERE state = 'waiting'",
    ),
    ("changes are not projected", "SELECT COUNT(*) FROM folio_changes"),
    (
        "webhook events are due",
        "SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'waiting' AND (due_at <= ?1 OR leased_until IS NOT NULL)",
    ),
    (
        "reminders are due",
        "SELECT COUNT(*) FROM reminders WHERE due_at <= ?1 - 60000000",
    ),
    (
        "extensions are due",
        "SELECT COUNT(*) FROM extensions WHERE due_at <= ?1 + 3 * 86400000000 OR leased_until IS NOT NULL",
    ),
    ("increments are not moved", "SELECT COUNT(*) FROM increment_moves"),
    (
        "webhook events wait for too long",
        "SELECT COUNT(*) FROM webhook_deliveries WHERE state = 'waiting' AND due_at > ?1 + 27 * 3600000000",
    ),
];

/// What waits, with seconds from now.
const WAITING: &str = "SELECT format('waiting: message %d (%s to %s), due in %d s, leased for %d s, attempts %d', seq, template,
        recipient, (due_at - ?1) / 1000000, (leased_until - ?2) / 1000000, attempts)
        FROM outbox WHERE state = 'waiting'
    UNION ALL SELECT format('waiting: webhook event %d, due in %d s, leased for %d s, attempts %d', seq,
        (due_at - ?1) / 1000000, (leased_until - ?2) / 1000000, attempts)
        FROM webhook_deliveries WHERE state = 'waiting'
    UNION ALL SELECT format('extension of folio %d, due in %d s, leased for %d s, attempts %d: %s', folio,
        (due_at - ?1) / 1000000, (leased_until - ?2) / 1000000, attempts, last_error)
        FROM extensions";

/// How often each message was delivered by its history: several times, if several instances sent it.
const DELIVERED: &str = "SELECT CAST(body ->> 'message_id' AS INTEGER) AS seq, COUNT(*) AS times FROM events
    WHERE body ->> 'what' = 'delivered' GROUP BY 1";

/// What must find nothing.
const VIOLATIONS: [(&str, &str); 16] = [
    (
        "an attempt at a message has several events",
        "SELECT COUNT(*) FROM (SELECT 1 FROM events WHERE body ->> 'what' IN ('delivered', 'undelivered')
             GROUP BY body ->> 'message_id', body ->> 'attempt' HAVING COUNT(*) > 1)",
    ),
    (
        "a message that was sent has no event",
        "SELECT COUNT(*) FROM outbox o WHERE state = 'sent' AND NOT EXISTS (SELECT 1 FROM events e
             WHERE e.folio = o.folio AND body ->> 'what' = 'delivered' AND body ->> 'message_id' LIKE o.seq || '.%')",
    ),
    (
        "a message that was given up has no event",
        "SELECT COUNT(*) FROM outbox o WHERE state = 'dead' AND NOT EXISTS (SELECT 1 FROM events e
             WHERE e.folio = o.folio AND body ->> 'what' = 'undelivered' AND body ->> 'given_up'
                 AND body ->> 'message_id' LIKE o.seq || '.%')",
    ),
    (
        "a signer has not exactly one invitation",
        "SELECT COUNT(*) FROM signers s WHERE (SELECT COUNT(*) FROM outbox o WHERE o.folio = s.folio
             AND o.signer = s.position AND o.template = 'invitation') <> 1",
    ),
    (
        "a signer has more reminders than are counted, or than the schedule has",
        "SELECT COUNT(*) FROM (SELECT o.folio, COUNT(*) AS reminders FROM outbox o WHERE o.template = 'reminder'
             GROUP BY o.folio, o.signer) m LEFT JOIN reminders r ON r.folio = m.folio
             WHERE m.reminders > COALESCE(r.sent, 2) OR m.reminders > 2",
    ),
    (
        "a pending folio has no plan of reminders",
        "SELECT COUNT(*) FROM folios f WHERE state = 'pending' AND NOT EXISTS (SELECT 1 FROM reminders r WHERE r.folio = f.seq)",
    ),
    (
        "a signer has not exactly one signature",
        "SELECT COUNT(*) FROM signers s WHERE (SELECT COUNT(*) FROM events e WHERE e.folio = s.folio
             AND body ->> 'what' = 'signed' AND body ->> 'signer' = s.position) <> (s.state = 'signed')",
    ),
    (
        "a signer who signed has not exactly one receipt",
        "SELECT COUNT(*) FROM signers s WHERE (SELECT COUNT(*) FROM outbox o WHERE o.folio = s.folio
             AND o.signer = s.position AND o.template = 'receipt') <> (s.state = 'signed')",
    ),
    (
        "the others were not told exactly once that all have signed",
        "SELECT COUNT(*) FROM folios f WHERE (SELECT COUNT(*) FROM outbox o WHERE o.folio = f.seq
             AND o.template = 'completed') <> (state = 'signed') * (SELECT COUNT(*) - 1 FROM signers s WHERE s.folio = f.seq)",
    ),
    (
        "a signed folio was not extended exactly once",
        "SELECT COUNT(*) FROM folios f WHERE state = 'signed' AND (SELECT COUNT(*) FROM events e
             WHERE e.folio = f.seq AND body ->> 'what' = 'extended') <> 1",
    ),
    (
        "a signed folio has increments in rows",
        "SELECT COUNT(*) FROM increments i JOIN folios f ON f.seq = i.folio WHERE f.state = 'signed'",
    ),
    (
        "a webhook event was planned several times",
        "SELECT COUNT(*) FROM (SELECT 1 FROM webhook_deliveries GROUP BY endpoint, kind, folio, event HAVING COUNT(*) > 1)",
    ),
    (
        "a folio has no webhook event of its creation",
        "SELECT COUNT(*) FROM folios f WHERE NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.folio = f.seq
             AND d.kind = 'folio.created')",
    ),
    (
        "a webhook event has attempts that are not recorded",
        "SELECT COUNT(*) FROM webhook_deliveries d WHERE state = 'sent'
             AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery = d.seq AND a.status = 200)",
    ),
    (
        "the daily figures count folios otherwise",
        "SELECT COUNT(*) FROM (SELECT state, COUNT(*) AS folios FROM folios GROUP BY state) f WHERE folios <> COALESCE((
             SELECT SUM(CASE WHEN figure = 'entered:' || state THEN value WHEN figure = 'left:' || state THEN -value END)
             FROM daily_stats WHERE day > 20000000), 0)",
    ),
    (
        "a folio cannot be found",
        "SELECT COUNT(*) FROM folios f WHERE NOT EXISTS (SELECT 1 FROM search_index s WHERE s.folio = f.seq)",
    ),
];

fn one<T: FromSql>(connection: &Connection, sql: &str, params: impl Params) -> T {
    connection
        .query_row(sql, params, |row| row.get(0))
        .unwrap_or_else(|error| panic!("{error}: {sql}"))
}

/// What still has to be done.
pub(crate) fn unsettled(site: &Site) -> Vec<String> {
    let now = site.world.now().as_micros();
    site.database.inspect(|connection| {
        let count = |(what, sql): &(&str, &str)| {
            let params = if sql.contains("?1") { vec![now] } else { Vec::new() };
            let count: i64 = one(connection, sql, rusqlite::params_from_iter(params));
            (count > 0).then(|| format!("stuck: {count} {what}"))
        };
        UNSETTLED.iter().filter_map(count).collect()
    })
}

/// The messages and webhook events that wait, for the trace.
pub(crate) fn note_waiting(site: &Site) {
    let (now, clock) = (
        site.world.now().as_micros(),
        site.world.database_clock().as_micros(),
    );
    let lines: Vec<String> = site.database.inspect(|connection| {
        let mut statement = connection.prepare(WAITING).unwrap();
        let rows = statement.query_map((now, clock), |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    });
    for line in lines {
        site.world.note(line);
    }
}

/// What is wrong, once everything is settled.
pub(crate) fn violations(site: &Site, orders: &[Order]) -> Vec<String> {
    let mut found = site.database.inspect(|connection| {
        let mut found: Vec<String> = Vec::new();
        for (what, sql) in VIOLATIONS {
            let count: i64 = one(connection, sql, []);
            if count > 0 {
                found.push(format!("{what} ({count})"));
            }
        }
        let folios: i64 = one(connection, "SELECT COUNT(*) FROM folios", []);
        if folios != i64::try_from(orders.len()).unwrap() {
            found.push(format!("{folios} folios of {} orders", orders.len()));
        }
        found.extend(orders.iter().filter_map(|order| lost(connection, order)));
        found
    });
    found.extend(of_messages(site));
    found.extend(of_webhooks(site));
    found
}

/// The blobs that rows name, and their sizes.
pub(crate) fn documents(site: &Site) -> Vec<(BlobId, u64)> {
    let sql = "SELECT folio, position, sha256, size FROM documents
        UNION ALL SELECT folio, position, appended_sha256, appended_size FROM documents WHERE appended_sha256 IS NOT NULL
        ORDER BY folio, position, size";
    site.database.inspect(|connection| {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get("sha256")?, row.get("size")?)));
        let rows: Vec<(Vec<u8>, i64)> = rows.unwrap().map(Result::unwrap).collect();
        let typed = |(sha256, size): (Vec<u8>, i64)| {
            let blob = BlobId::from_bytes(sha256.try_into().unwrap());
            (blob, u64::try_from(size).unwrap())
        };
        rows.into_iter().map(typed).collect()
    })
}

/// A document that was signed.
pub(crate) struct SignedDocument {
    /// Its blobs in their order, and their sizes.
    pub(crate) blobs: [(BlobId, u64); 2],
    /// The hash of the whole.
    pub(crate) sha256: [u8; 32],
}

pub(crate) fn signed_documents(site: &Site) -> Vec<SignedDocument> {
    let sql = "SELECT sha256, size, appended_sha256, appended_size, current_sha256 FROM documents
        WHERE appended_sha256 IS NOT NULL ORDER BY folio, position";
    site.database.inspect(|connection| {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| {
            let blob = |sha256: &str, size: &str| {
                let (name, bytes): (Vec<u8>, i64) = (row.get(sha256)?, row.get(size)?);
                let blob = BlobId::from_bytes(name.try_into().unwrap());
                Ok::<_, rusqlite::Error>((blob, u64::try_from(bytes).unwrap()))
            };
            let whole: Vec<u8> = row.get("current_sha256")?;
            Ok(SignedDocument {
                blobs: [blob("sha256", "size")?, blob("appended_sha256", "appended_size")?],
                sha256: whole.try_into().unwrap(),
            })
        });
        rows.unwrap().map(Result::unwrap).collect()
    })
}

/// How many documents the scrubber has reported as damaged.
pub(crate) fn reported_damage(site: &Site) -> i64 {
    site.database
        .inspect(|connection| one(connection, "SELECT COUNT(*) FROM damaged_documents", []))
}

/// What is not as the client was told.
fn lost(connection: &Connection, order: &Order) -> Option<String> {
    let folio = order.folio.expect("the order was carried out");
    let sql = "SELECT COALESCE((SELECT state FROM folios WHERE id = ?1 AND name = ?2), 'lost')";
    let state: String = one(connection, sql, (folio.as_bytes(), &order.name));
    let wanted = match order.wish {
        Wish::Created => "pending",
        Wish::Signed => "signed",
        Wish::Cancelled => "cancelled",
    };
    (state != wanted).then(|| format!("{} is {state}, and was acknowledged as {wanted}", order.name))
}

/// Messages that arrived less often than their histories say, and those that overtook an earlier one.
fn of_messages(site: &Site) -> Vec<String> {
    let tried = site.world.tried();
    let mut arrived: BTreeMap<i64, i64> = BTreeMap::new();
    for message in site.world.messages() {
        *arrived.entry(message.seq).or_default() += 1;
    }
    let (delivered, codes) = site.database.inspect(|connection| {
        let mut statement = connection.prepare(DELIVERED).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get("seq")?, row.get("times")?)));
        let delivered: Vec<(i64, i64)> = rows.unwrap().map(Result::unwrap).collect();
        let mut statement = connection
            .prepare("SELECT seq FROM outbox WHERE template = 'code'")
            .unwrap();
        let rows = statement.query_map([], |row| row.get(0));
        let codes: BTreeSet<i64> = rows.unwrap().map(Result::unwrap).collect();
        (delivered, codes)
    });
    let mut found: Vec<String> = delivered
        .into_iter()
        .filter(|(seq, times)| arrived.get(seq).is_none_or(|arrived| arrived < times))
        .map(|(seq, times)| format!("message {seq} counts as delivered {times} times, and was not"))
        .collect();
    let mut last: BTreeMap<&str, i64> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (seq, to) in tried.iter().filter(|(seq, _)| !codes.contains(seq)) {
        let before = last.entry(to).or_default();
        if seen.insert(*seq) && *before > *seq {
            found.push(format!("message {before} overtook {seq}"));
        }
        *before = *seq.max(before);
    }
    found
}

/// Webhook events that never arrived although they count as sent.
fn of_webhooks(site: &Site) -> Vec<String> {
    let arrived: BTreeSet<String> = site.world.webhooks().into_iter().collect();
    site.database.inspect(|connection| {
        let sql = "SELECT 'msg_' || lower(hex(id)) FROM webhook_deliveries WHERE state = 'sent'";
        let mut statement = connection.prepare(sql).unwrap();
        let sent = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let sent = sent.map(Result::unwrap).filter(|id| !arrived.contains(id));
        sent.map(|id| format!("webhook {id} counts as sent, and never arrived"))
            .collect()
    })
}
