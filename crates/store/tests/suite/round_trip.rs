//! What goes in comes out.

use crate::db::{Db, company, read, run, write};
use crate::sample::{
    Distinct, act, at, cancel, created, details, folios, number, origin, resend, signer, stored,
    whole_history, why,
};
use domain::{Bulk, Change, Channel, Folio, FolioId, NewBulk, SignerIndex, SignerState, Template};
use std::collections::BTreeSet;
use store::{DocumentLookup, DocumentPlace, FolioRow};

pub(crate) fn a_folio_comes_back_with_everything(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Ñandú S.A.S.").await;
        let hashes: Vec<_> = (0..20).map(|content| [content; 32]).collect();
        let new = created(company, 10, &hashes);
        let mut expected = new.folio.clone();
        let id = expected.id;
        write(&store, move |tx| tx.insert_folio(&new, &[])).await.unwrap();
        assert_eq!(stored(&store, company, id).await.folio, expected);

        let mut from_afar = origin();
        from_afar.client.address = Some("2001:db8::7".parse().unwrap());
        for change in [
            expected
                .sign(
                    SignerIndex(3),
                    &expected.signers[3].contact,
                    details(),
                    from_afar,
                    at(20),
                )
                .unwrap(),
            resend(&expected).unwrap(),
            expected
                .cancel(&why(), &BTreeSet::new(), origin(), at(30))
                .unwrap(),
            {
                let mut done = expected.clone();
                done.state = domain::FolioState::Cancelled;
                done.drop_finished(origin(), at(40)).unwrap()
            },
        ] {
            apply(&mut expected, &change);
            let changed = act(&store, company, vec![id], move |_| Ok(change.clone()))
                .await
                .unwrap();
            assert_eq!(changed, [id]);
            assert_eq!(stored(&store, company, id).await.folio, expected);
        }
        assert_eq!(expected.signers[3].state, SignerState::Signed);

        let history = whole_history(&store, company, id).await;
        assert_eq!(history, ["created", "signed", "resent", "cancelled", "dropped"]);
        let messages = read(&store, move |tx| tx.messages_of(company, id)).await;
        let about = |template| {
            messages
                .iter()
                .filter(|message| message.template == template)
                .count()
        };
        assert_eq!(about(Template::Invitation), 10);
        assert_eq!(about(Template::Receipt), 1);
        assert_eq!(about(Template::ContactChanged), 1);
        assert_eq!(about(Template::Reminder), 1);
        assert_eq!(about(Template::Cancelled), 10);
        assert_eq!(messages.last().unwrap().recipient, "maría9@ejemplo.com.co");
        assert!(messages.iter().all(|message| message.channel == Channel::Email));
        let age = read(&store, |tx| tx.outbox_age()).await;
        assert_eq!((age.waiting, age.oldest), (23, Some(at(1))));
    });
}

pub(crate) fn folios_read_together_have_each_their_own(db: &Db) {
    let store = db.open();
    let company = run(company(&store, "Varios"));
    let made: Vec<_> = (1..6_u8)
        .map(|count| {
            let hashes: Vec<_> = (0..count).map(|content| [10 * count + content; 32]).collect();
            created(company, usize::from(6 - count), &hashes)
        })
        .collect();
    let expected: Vec<Folio> = made.iter().map(|created| created.folio.clone()).collect();
    run(write(&store, move |tx| {
        made.iter().try_for_each(|created| tx.insert_folio(created, &[]))
    }))
    .unwrap();
    let backwards: Vec<FolioId> = expected.iter().rev().map(|folio| folio.id).collect();
    run(async {
        for count in 0..=backwards.len() {
            let named = backwards[..count].to_vec();
            let found = read(&store, move |tx| tx.folios(company, &named)).await;
            assert_eq!(found.len(), count);
            for stored in found {
                let own = expected.iter().find(|folio| folio.id == stored.folio.id);
                assert_eq!(Some(&stored.folio), own);
            }
        }
    });
}

pub(crate) fn documents_are_looked_through_page_by_page(db: &Db) {
    const PAGE: i64 = 2;
    let store = db.open();
    run(async {
        let company = company(&store, "Páginas").await;
        let made: Vec<_> = (0..3_u8)
            .map(|folio| {
                created(
                    company,
                    1,
                    &[[3 * folio; 32], [3 * folio + 1; 32], [3 * folio + 2; 32]],
                )
            })
            .collect();
        write(&store, move |tx| {
            made.iter().try_for_each(|created| tx.insert_folio(created, &[]))
        })
        .await
        .unwrap();
        let mut seen = Vec::new();
        let mut after = DocumentPlace::START;
        loop {
            let page = read(&store, move |tx| tx.documents_after(after, PAGE)).await;
            let Some(last) = page.last() else { break };
            after = last.place;
            seen.extend(page.iter().map(|document| document.sha256[0]));
        }
        assert_eq!(seen, (0..9).collect::<Vec<u8>>());
    });
}

pub(crate) fn a_bulk_signature_comes_back_in_its_order(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Bulk").await;
        let mut ids = folios(&store, company, 50).await;
        ids.reverse();
        let new = NewBulk {
            folios: ids.clone(),
            signer: signer(1),
            return_url: crate::sample::return_url(),
        };
        let bulk = Bulk::start(new, company, at(5), &mut Distinct);
        let id = bulk.id;
        write(&store, move |tx| {
            let locked = tx.lock_folios(company, &bulk.folios)?;
            let seq = |id: &FolioId| locked.iter().find(|stored| stored.folio.id == *id).unwrap().seq;
            let seqs: Vec<FolioRow> = bulk.folios.iter().map(seq).collect();
            let folios: Vec<_> = seqs
                .into_iter()
                .map(|seq| (seq, SignerIndex(0), Vec::new()))
                .collect();
            tx.insert_bulk(&bulk, &folios)
        })
        .await
        .unwrap();

        let (row, listed) = read(&store, move |tx| {
            let row = tx.bulk(company, id)?.unwrap();
            let listed = tx.folios_of_bulk(company, row.seq)?;
            Ok((row, listed))
        })
        .await;
        assert_eq!(row.signer, signer(1));
        assert_eq!(row.signer.document_number, number(1));
        assert_eq!(
            (row.return_url, row.expires_at),
            (crate::sample::return_url(), at(5 + 86_400))
        );
        let listed: Vec<_> = listed.iter().map(|stored| stored.folio.id).collect();
        assert_eq!(listed, ids);
    });
}

pub(crate) fn what_was_written_is_there_after_reopening(db: &Db) {
    let store = db.open();
    let (company, ids) = run(async {
        let company = company(&store, "Reopened").await;
        let ids = folios(&store, company, 3).await;
        act(&store, company, ids[..1].to_vec(), cancel).await.unwrap();
        (company, ids)
    });
    drop(store);
    let store = db.open();
    run(async {
        let asked = ids.clone();
        let found = read(&store, move |tx| tx.folios(company, &asked)).await;
        assert_eq!(found.len(), 3);
        assert_eq!(
            whole_history(&store, company, ids[0]).await,
            ["created", "cancelled"]
        );
        let document = found[2].folio.documents[0].id;
        let download = read(&store, move |tx| tx.find_document(company, document)).await;
        assert!(
            matches!(download, DocumentLookup::Own(file) if file.folio == found[2].folio.id && file.sha256 == [7; 32])
        );
    });
}

/// What the store does with a change.
fn apply(folio: &mut Folio, change: &Change) {
    folio.state = change.to;
    folio.updated_at = Some(change.at);
    folio.dropped |= change.drop;
    folio.observation = change.observation.clone().or(folio.observation.take());
    for changed in &change.signers {
        let signer = &mut folio.signers[changed.signer.0];
        signer.return_url = changed.return_url.clone().or(signer.return_url.take());
        signer.state = changed.state;
        signer.contact = changed.contact.clone();
        signer.signed_from = changed.signed_from;
        signer.updated_at = changed.updated_at;
    }
}
