//! The search index: words of folios. Every query reads a bounded number of rows.

use crate::dialect::ColumnType::{Int, Text};
use crate::dialect::padded;
use crate::error::Error;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column, sql_int};
use domain::{CompanyId, DocumentNumber, search};
use std::collections::{BTreeSet, HashMap};

/// Sorts after every word with the same prefix.
const PREFIX_END: char = '\u{10ffff}';

/// The most words per term in a query for given folios.
pub const MAX_TERM_WORDS: usize = 4;

impl Tx<'_> {
    /// Keeps words of folios; those that are there already stay.
    pub fn index_words(&mut self, words: &[(CompanyId, String, FolioRow)]) -> Result<(), Error> {
        let mut rows = Rows::new();
        for (company, word, folio) in words {
            rows.push([company.0.into(), word.into(), (*folio).into()]);
        }
        let sql = "INSERT INTO search_index (company, word, folio) VALUES {rows}
                   ON CONFLICT (company, word, folio) DO NOTHING";
        self.run_rows(sql, &[Int, Text, Int], &rows)
    }

    /// A signer's document number was corrected: the folio is found by the new one at once, and by the old one no more. The
    /// projector puts words back that the folio has from elsewhere.
    pub fn reindex_number(
        &mut self,
        company: CompanyId,
        folio: FolioRow,
        old: &DocumentNumber,
        new: &DocumentNumber,
    ) -> Result<(), Error> {
        let old = BTreeSet::from([old.as_str().to_owned()]);
        self.delete_words(company, &HashMap::from([(folio, old)]))?;
        self.index_words(&[(company, search::number_word(new.as_str()), folio)])
    }

    /// Which of these words folios of the company have.
    pub fn words_in_use(&mut self, company: CompanyId, words: &[String]) -> Result<BTreeSet<String>, Error> {
        let mut rows = Rows::new();
        for word in words {
            rows.push([company.0.into(), word.into()]);
        }
        let sql = "SELECT c.column2 AS word FROM (VALUES {rows}) AS c
                   WHERE EXISTS (SELECT 1 FROM search_index i WHERE i.company = c.column1 AND i.word = c.column2)";
        let found = self.query_rows(sql, &[Int, Text], &rows, only_column)?;
        Ok(found.into_iter().collect())
    }

    /// How often words of the company begin with each of these terms, counted up to a limit.
    pub fn term_counts(
        &mut self,
        company: CompanyId,
        terms: &[String],
        max: usize,
    ) -> Result<Vec<usize>, Error> {
        let ends: Vec<String> = terms.iter().map(end).collect();
        let mut params = vec![company.0.into(), sql_int(max)?.into()];
        let mut counts = Vec::with_capacity(terms.len());
        for (place, (term, end)) in terms.iter().zip(&ends).enumerate() {
            counts.push(format!(
                "(SELECT COUNT(*) FROM (SELECT 1 FROM search_index
                  WHERE company = $1 AND word >= ${} AND word <= ${} LIMIT $2) AS few) AS term_{place}",
                place * 2 + 3,
                place * 2 + 4
            ));
            params.extend([Param::from(term), end.into()]);
        }
        if counts.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!("SELECT {}", counts.join(", "));
        let counted = self.query_one(&sql, &params, |row| {
            (0..terms.len())
                .map(|place| row.get(&format!("term_{place}")))
                .collect()
        })?;
        counted.ok_or(Error::Corrupt("answer"))
    }

    /// The folios, older than the one of that number, that have a word which begins with the term: at most so many,
    /// in the order of their words.
    pub fn folios_with_term(
        &mut self,
        company: CompanyId,
        term: &String,
        before: FolioRow,
        max: usize,
    ) -> Result<Vec<FolioRow>, Error> {
        let sql = "SELECT folio FROM search_index
                   WHERE company = $1 AND word >= $2 AND word <= $3 AND folio < $4 LIMIT $5";
        let end = end(term);
        let params = [
            company.0.into(),
            term.into(),
            (&end).into(),
            before.into(),
            sql_int(max)?.into(),
        ];
        self.query(sql, &params, only_column)
    }

    /// The words of the company that begin with the term, at most so many.
    pub fn words_with_term(
        &mut self,
        company: CompanyId,
        term: &String,
        max: usize,
    ) -> Result<Vec<String>, Error> {
        // A loose index scan: from one word to the next, past all the folios that share it.
        let sql = "WITH RECURSIVE found (word) AS (
                       SELECT MIN(word) FROM search_index WHERE company = $1 AND word >= $2 AND word <= $3
                       UNION ALL
                       SELECT (SELECT MIN(w.word) FROM search_index w
                               WHERE w.company = $1 AND w.word > found.word AND w.word <= $3)
                       FROM found WHERE found.word IS NOT NULL)
                   SELECT word FROM found WHERE word IS NOT NULL LIMIT $4";
        let end = end(term);
        let params = [company.0.into(), term.into(), (&end).into(), sql_int(max)?.into()];
        self.query(sql, &params, only_column)
    }

    /// Those of the folios that have one of these words, of which there are at most [`MAX_TERM_WORDS`].
    pub fn folios_among_with_words(
        &mut self,
        company: CompanyId,
        words: &[String],
        folios: &[FolioRow],
    ) -> Result<Vec<FolioRow>, Error> {
        let sql = "SELECT DISTINCT folio FROM search_index
                   WHERE company = $1 AND word IN ($2, $3, $4, $5) AND folio IN ({list})";
        // No folio has the empty word.
        let word = |place: usize| Param::from(words.get(place).map_or("", String::as_str));
        let fixed = [company.0.into(), word(0), word(1), word(2), word(3)];
        let folios = folios.iter().map(|folio| Param::from(*folio));
        self.query_in(sql, &fixed, folios, only_column)
    }

    /// The newest folios, older than the one of that number, that have one of these words: at most so many, newest
    /// first, and each as often as it has one of them.
    pub fn newest_with_words(
        &mut self,
        company: CompanyId,
        words: &[String],
        before: FolioRow,
        max: usize,
    ) -> Result<Vec<FolioRow>, Error> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let mut params: Vec<Param<'_>> = vec![company.0.into(), before.into(), sql_int(max)?.into()];
        let mut lists = Vec::new();
        // The index yields the folios of each word newest first: the lists are merged up to the limit.
        for place in 0..padded(words.len()) {
            let list = format!(
                "SELECT folio FROM search_index WHERE company = $1 AND word = ${} AND folio < $2",
                place + 4
            );
            lists.push(self.dialect().merged(&list, "folio", "DESC", "$3"));
            // No folio has the empty word: it only fills the text up to one of few lengths.
            params.push(words.get(place).map_or("", String::as_str).into());
        }
        let sql = format!("{} ORDER BY folio DESC LIMIT $3", lists.join(" UNION ALL "));
        self.query(&sql, &params, only_column)
    }
}

fn end(term: &String) -> String {
    format!("{term}{PREFIX_END}")
}
