//! Lists of folios: newest first, page by page, by state and date; and the words by which they are found.

use crate::db::{Db, company, read, run, write};
use crate::sample::{act, at, cancel, folios, origin, stored};
use domain::{CompanyId, Folio, FolioId, FolioState};
use store::{FolioFilter, FolioRow, Store};

async fn seqs(store: &Store, company: CompanyId, ids: &[FolioId]) -> Vec<FolioRow> {
    let mut seqs = Vec::new();
    for id in ids {
        seqs.push(stored(store, company, *id).await.seq);
    }
    seqs
}

async fn listed(store: &Store, company: CompanyId, wanted: FolioFilter, most: usize) -> Vec<FolioRow> {
    read(store, move |tx| tx.newest_folios(company, &wanted, most)).await
}

pub(crate) fn pages_follow_each_other_while_folios_come(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Ours").await;
        let ids = folios(&store, company, 9).await;
        act(&store, company, ids[2..5].to_vec(), cancel).await.unwrap();
        let mut all = seqs(&store, company, &ids).await;
        all.reverse();
        let first = listed(&store, company, FolioFilter::default(), 4).await;
        assert_eq!(first, all[..4]);
        // What comes meanwhile is on the first page, not on this one.
        folios(&store, company, 3).await;
        let after = FolioFilter {
            before: first[3],
            ..FolioFilter::default()
        };
        assert_eq!(listed(&store, company, after.clone(), 99).await, all[4..]);
        let cancelled = FolioFilter {
            state: Some(FolioState::Cancelled),
            ..after.clone()
        };
        assert_eq!(listed(&store, company, cancelled, 99).await, all[4..7]);
        let dropping = |folio: &Folio| folio.drop_finished(origin(), at(11));
        act(&store, company, ids[3..4].to_vec(), dropping).await.unwrap();
        let kept = FolioFilter {
            state: Some(FolioState::Cancelled),
            kept: true,
            ..after.clone()
        };
        assert_eq!(listed(&store, company, kept, 99).await, [all[4], all[6]]);
        let bounded = FolioFilter {
            not_below: all[6],
            ..after
        };
        assert_eq!(listed(&store, company, bounded, 99).await, all[4..7]);
        let late = FolioFilter {
            from: Some(at(2)),
            ..FolioFilter::default()
        };
        assert!(listed(&store, company, late, 9).await.is_empty());
        let early = FolioFilter {
            from: Some(at(1)),
            to: Some(at(2)),
            ..FolioFilter::default()
        };
        assert_eq!(listed(&store, company, early, 99).await.len(), 12);
        let rows = read(&store, move |tx| tx.listed_folios(company, &first)).await;
        assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), all[..4]);
        assert_eq!(rows[0].signers.len(), 2);
        assert_eq!(rows[0].name, "Contrato de Ñandú");
    });
}

pub(crate) fn words_are_found_by_their_beginnings(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Ours").await;
        let words = |folio: i64, words: &[&str]| {
            let own = |word: &&str| (company, (*word).to_owned(), FolioRow(folio));
            words.iter().map(own).collect::<Vec<_>>()
        };
        let mut kept = words(1, &["ana", "contrato", "zzz"]);
        kept.extend(words(2, &["ana", "anabel", "1020"]));
        kept.extend(words(3, &["anibal", "contrato"]));
        kept.extend(words(4, &["andres", "ñu", "an"]));
        let again = kept.clone();
        write(&store, move |tx| tx.index_words(&kept)).await.unwrap();
        write(&store, move |tx| tx.index_words(&again)).await.unwrap();
        read(&store, move |tx| {
            let term = |text: &str| text.to_owned();
            let counts = tx.term_counts(company, &[term("an"), term("contr"), term("x")], 5)?;
            assert_eq!(counts, [5, 2, 0]);
            assert!(tx.term_counts(company, &[], 5)?.is_empty());
            assert_eq!(
                tx.words_with_term(company, &term("an"), 9)?,
                ["an", "ana", "anabel", "andres", "anibal"]
            );
            assert_eq!(tx.words_with_term(company, &term("an"), 2)?, ["an", "ana"]);
            assert_eq!(tx.words_with_term(company, &term("ñ"), 9)?, ["ñu"]);
            let mut found = tx.folios_with_term(company, &term("ana"), FolioRow::MAX, 9)?;
            found.sort_unstable();
            assert_eq!(found, [1, 2, 2].map(FolioRow));
            assert_eq!(
                tx.folios_with_term(company, &term("ana"), FolioRow(2), 9)?,
                [FolioRow(1)]
            );
            let words = [term("ana"), term("anibal"), term("andres")];
            assert_eq!(
                tx.newest_with_words(company, &words, FolioRow(4), 9)?,
                [3, 2, 1].map(FolioRow)
            );
            assert_eq!(
                tx.newest_with_words(company, &words, FolioRow(4), 2)?,
                [3, 2].map(FolioRow)
            );
            let both = [term("ana"), term("anabel")];
            assert_eq!(
                tx.newest_with_words(company, &both, FolioRow(9), 9)?,
                [2, 2, 1].map(FolioRow)
            );
            assert!(tx.newest_with_words(company, &[], FolioRow(4), 1)?.is_empty());
            Ok(())
        })
        .await;
    });
}
