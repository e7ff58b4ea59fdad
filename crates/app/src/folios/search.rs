//! Searches folios by typed words.
//!
//! A search reads at most [`MAX_CANDIDATES`] folios before it returns a cursor, so that it costs about the same
//! however many folios there are.

use crate::Error;
use domain::{CompanyId, search};
use std::collections::HashSet;
use store::{FolioFilter, FolioRow, ListedFolio, ListedSigner, MAX_TERM_WORDS, Tx};

/// Folios that have every term as a whole word, and come before the others.
const MAX_EXACT: usize = 10;
/// Folios with one of these words that are looked through for the others.
const MAX_EXACT_CANDIDATES: usize = 50;
/// Folios that one search request reads.
const MAX_CANDIDATES: usize = 250;
/// Occurrences of a beginning that are few enough to be read all.
const MAX_OCCURRENCES: usize = 1000;
/// Words with one beginning that are few enough to be followed each.
const MAX_WORDS_PER_TERM: usize = 32;

/// The folios of a page.
pub(super) struct Matches {
    pub(super) folios: Vec<ListedFolio>,
    pub(super) next: Option<FolioRow>,
    pub(super) unfinished: bool,
}

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'t> {
    pub(super) company: CompanyId,
    /// Beginnings of words, the longest first.
    pub(super) terms: &'t [String],
    /// Folios of a page.
    pub(super) size: usize,
}

/// The newest of the folios that have every term as a whole word, as far as they are among the newest with the longest one.
pub(super) fn find_whole_words(
    tx: &mut Tx<'_>,
    Search { company, terms, .. }: Search<'_>,
    wanted: &FolioFilter,
) -> Result<Vec<ListedFolio>, Error> {
    let Some((longest, others)) = terms.split_first() else {
        return Ok(Vec::new());
    };
    let longest = std::slice::from_ref(longest);
    let mut seqs = tx.newest_with_words(company, longest, wanted.before, MAX_EXACT_CANDIDATES)?;
    seqs.retain(|seq| *seq >= wanted.not_below);
    for term in others {
        let found = tx.folios_among_with_words(company, std::slice::from_ref(term), &seqs)?;
        seqs.retain(|seq| found.contains(seq));
    }
    let seqs = retain_subset(tx, company, wanted, seqs)?;
    let mut folios = tx.listed_folios(company, &seqs)?;
    folios.retain(|folio| is_wanted(folio, wanted));
    folios.truncate(MAX_EXACT);
    Ok(folios)
}

/// Retains those of the folios that are in the wanted subset.
fn retain_subset(
    tx: &mut Tx<'_>,
    company: CompanyId,
    wanted: &FolioFilter,
    mut seqs: Vec<FolioRow>,
) -> Result<Vec<FolioRow>, Error> {
    if let Some(subset) = wanted.subset {
        let inside: HashSet<FolioRow> = tx.folios_in_subset(company, subset, &seqs)?.into_iter().collect();
        seqs.retain(|seq| inside.contains(seq));
    }
    Ok(seqs)
}

/// The folios of a page that the terms find.
pub(super) fn find(
    tx: &mut Tx<'_>,
    Search { company, terms, size }: Search<'_>,
    wanted: &FolioFilter,
) -> Result<Matches, Error> {
    let known = known_words(tx, company, terms)?;
    let Candidates {
        mut seqs,
        mut more,
        term,
    } = candidates(tx, company, wanted, &known, size)?;
    let candidates = seqs.len();
    seqs.retain(|seq| *seq >= wanted.not_below);
    more &= seqs.len() == candidates;
    let looked_at = seqs.last().copied();
    let mut seqs = retain_subset(tx, company, wanted, seqs)?;
    let filter = IndexFilter::of(known.iter().filter(|other| Some(other.term) != term));
    let certain = filter.is_whole && term.is_some();
    // The first candidates usually fill the page. The rest is checked against the index, and read, only if they do not.
    let rest = seqs.split_off(seqs.len().min(2 * size));
    let mut seqs = filter.narrow(tx, company, seqs)?;
    seqs.extend(if seqs.len() > size {
        rest
    } else {
        filter.narrow(tx, company, rest)?
    });
    let enough = if certain { size + 1 } else { 2 * size };
    let (first, others) = seqs.split_at(seqs.len().min(enough));
    let mut read = |seqs: &[FolioRow]| {
        let mut folios = tx.listed_folios(company, seqs)?;
        folios.retain(|folio| is_wanted(folio, wanted) && is_found(folio, terms));
        Ok::<_, Error>(folios)
    };
    let mut folios = read(first)?;
    if folios.len() <= size && !others.is_empty() {
        folios.extend(read(others)?);
    }
    let full = folios.len() > size;
    folios.truncate(size);
    let next = if full {
        folios.last().map(|folio| folio.seq)
    } else {
        looked_at.filter(|_| more)
    };
    Ok(Matches {
        folios,
        next,
        unfinished: !full && next.is_some(),
    })
}

/// Folios among which all those are that the terms find, as far down as they go.
#[derive(Default)]
struct Candidates<'t> {
    /// Newest first, each once.
    seqs: Vec<FolioRow>,
    /// Whether there may be others, older than the last.
    more: bool,
    /// The term that the index searched; none if nearly every folio matches.
    term: Option<&'t String>,
}

/// A term, and the words that begin with it.
struct TermWords<'t> {
    term: &'t String,
    /// Nothing where there are more than [`MAX_WORDS_PER_TERM`].
    words: Option<Vec<String>>,
}

fn known_words<'t>(
    tx: &mut Tx<'_>,
    company: CompanyId,
    terms: &'t [String],
) -> Result<Vec<TermWords<'t>>, Error> {
    let known = terms.iter().map(|term| {
        let words = tx.words_with_term(company, term, MAX_WORDS_PER_TERM + 1)?;
        let words = Some(words).filter(|words| words.len() <= MAX_WORDS_PER_TERM);
        Ok(TermWords { term, words })
    });
    known.collect()
}

impl Candidates<'_> {
    /// Whether these candidates are rarer: first a complete list, the shorter before the longer, then the list that reaches
    /// furthest back.
    fn are_rarer_than(&self, others: &Self) -> bool {
        let rarity = |one: &Self| {
            (
                one.more,
                one.seqs.last().copied().filter(|_| one.more),
                one.seqs.len(),
            )
        };
        rarity(self) < rarity(others)
    }
}

fn candidates<'t>(
    tx: &mut Tx<'_>,
    company: CompanyId,
    wanted: &FolioFilter,
    known: &[TermWords<'t>],
    size: usize,
) -> Result<Candidates<'t>, Error> {
    let all = wanted.subset.is_none()
        && wanted.state.is_none()
        && !wanted.kept
        && wanted.from.is_none()
        && wanted.to.is_none();
    let plain = known.len() == 1 && all;
    // Few folios have several words with one beginning: as a rule these are a page full.
    let most = if plain { 4 * size } else { MAX_CANDIDATES };
    let mut rarest: Option<Candidates<'t>> = None;
    for TermWords { term, words } in known {
        let Some(words) = words else { continue };
        let mut seqs = tx.newest_with_words(company, words, wanted.before, most)?;
        let more = seqs.len() == most;
        seqs.dedup();
        let term = Some(*term);
        let found = Candidates { seqs, more, term };
        if rarest.as_ref().is_none_or(|so_far| found.are_rarer_than(so_far)) {
            rarest = Some(found);
        }
    }
    match rarest {
        Some(rarest) => Ok(rarest),
        None => among_many_words(tx, company, wanted, known),
    }
}

/// Where each term begins many words.
fn among_many_words<'t>(
    tx: &mut Tx<'_>,
    company: CompanyId,
    wanted: &FolioFilter,
    known: &[TermWords<'t>],
) -> Result<Candidates<'t>, Error> {
    let terms: Vec<String> = known.iter().map(|one| one.term.clone()).collect();
    let counts = tx.term_counts(company, &terms, MAX_OCCURRENCES + 1)?;
    let rarest = counts.iter().zip(known).min_by_key(|(count, _)| **count);
    let Some((count, TermWords { term, .. })) = rarest else {
        return Ok(Candidates::default());
    };
    if *count > MAX_OCCURRENCES {
        // Nearly every folio matches: reading the newest folios is faster than the index.
        let seqs = tx.newest_folios(company, wanted, MAX_CANDIDATES)?;
        let more = seqs.len() == MAX_CANDIDATES;
        return Ok(Candidates {
            seqs,
            more,
            term: None,
        });
    }
    let mut seqs = tx.folios_with_term(company, term, wanted.before, MAX_OCCURRENCES)?;
    seqs.sort_unstable_by(|one, other| other.cmp(one));
    seqs.dedup();
    let more = seqs.len() > MAX_CANDIDATES;
    seqs.truncate(MAX_CANDIDATES);
    let term = Some(*term);
    Ok(Candidates { seqs, more, term })
}

/// What the index is asked of folios before they are read.
struct IndexFilter<'k> {
    /// The words that begin with each term. Terms with too many words are checked when the folios are read.
    words: Vec<&'k [String]>,
    /// Whether there is no such term.
    is_whole: bool,
}

impl<'k> IndexFilter<'k> {
    fn of<'t: 'k>(terms: impl Iterator<Item = &'k TermWords<'t>>) -> Self {
        let (mut words, mut is_whole) = (Vec::new(), true);
        for one in terms {
            match &one.words {
                Some(few) if few.len() <= MAX_TERM_WORDS => words.push(few.as_slice()),
                _ => is_whole = false,
            }
        }
        Self { words, is_whole }
    }

    /// Leaves out folios that the index has not under every term.
    fn narrow(
        &self,
        tx: &mut Tx<'_>,
        company: CompanyId,
        mut seqs: Vec<FolioRow>,
    ) -> Result<Vec<FolioRow>, Error> {
        for words in &self.words {
            let found = tx.folios_among_with_words(company, words, &seqs)?;
            let found: HashSet<FolioRow> = found.into_iter().collect();
            seqs.retain(|seq| found.contains(seq));
        }
        Ok(seqs)
    }
}

pub(super) fn is_wanted(folio: &ListedFolio, wanted: &FolioFilter) -> bool {
    wanted.state.is_none_or(|state| folio.state == state)
        && !(wanted.kept && folio.dropped)
        && wanted.from.is_none_or(|from| folio.created_at >= from)
        && wanted.to.is_none_or(|to| folio.created_at < to)
}

fn is_found(folio: &ListedFolio, terms: &[String]) -> bool {
    let signers = folio.signers.iter().map(ListedSigner::search_texts);
    search::found(terms, &search::words(&folio.id.to_string(), &folio.name, signers))
}
