//! What a signature itself forbids to those that come after it.

use super::fields::words;
use super::reason::Change;
use crate::file::{Damage, Document};
use crate::sign::Permission;
use crate::syntax::{Dict, Kind, Value};

/// Names in the locks of one signature, at most.
const MOST_NAMES: usize = 5_000;

/// The changes a signature allows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rules {
    /// The level of a certification.
    pub(super) certifies: Option<Permission>,
    locks: Vec<Lock>,
    /// How many names the locks have, and locks there are.
    named: usize,
    closed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Lock {
    /// Whether the names are those locked, or those left open.
    only: bool,
    names: Vec<Vec<u8>>,
}

impl Rules {
    /// Reads the references of a signature and the lock of its field.
    pub(super) fn of<'d>(
        doc: &'d Document<'d>,
        signature: &Dict<'d>,
        field: &Dict<'d>,
    ) -> Result<Self, Damage> {
        let mut rules = Self::default();
        for item in doc.look_array(signature, "Reference")?.unwrap_or_default() {
            let Kind::Dict(reference) = doc.resolve(&item)?.kind else {
                continue;
            };
            let params = doc.look_dict(&reference, "TransformParams")?.unwrap_or_default();
            match doc
                .look(&reference, "TransformMethod")?
                .as_ref()
                .and_then(Value::as_name)
            {
                Some(b"DocMDP") => {
                    rules.certifies = Some(match doc.look(&params, "P")?.and_then(|level| level.as_int()) {
                        Some(1) => Permission::Nothing,
                        Some(3) => Permission::Annotate,
                        _ => Permission::FillAndSign,
                    });
                }
                Some(b"FieldMDP") => rules.lock(doc, &params)?,
                _ => {}
            }
        }
        if let Some(lock) = doc.look_dict(field, "Lock")? {
            rules.lock(doc, &lock)?;
        }
        Ok(rules)
    }

    fn lock<'d>(&mut self, doc: &'d Document<'d>, params: &Dict<'d>) -> Result<(), Damage> {
        let names = doc.look_array(params, "Fields")?.unwrap_or_default();
        self.named += names.len() + 1;
        if self.named > MOST_NAMES {
            return Err(Damage::TooManyObjects);
        }
        let names = names.iter().filter_map(Value::as_string).collect();
        self.closed |= doc.look(params, "P")?.and_then(|level| level.as_int()) == Some(1);
        match doc.look(params, "Action")?.as_ref().and_then(Value::as_name) {
            Some(b"Include") => self.locks.push(Lock { only: true, names }),
            Some(b"Exclude") => self.locks.push(Lock { only: false, names }),
            _ => self.locks.push(Lock {
                only: false,
                names: Vec::new(),
            }),
        }
        Ok(())
    }

    /// Whether a field may be added, or a later signature be put into it. Timestamps of the document that draw
    /// nothing always may.
    pub(super) fn permit(&self, name: &[u8], is_timestamp: bool) -> Result<(), Change> {
        if is_timestamp {
            return Ok(());
        }
        if self.closed || self.certifies == Some(Permission::Nothing) {
            return Err(Change::Certified);
        }
        let covers = |listed: &Vec<u8>| {
            name == listed.as_slice()
                || name
                    .strip_prefix(listed.as_slice())
                    .is_some_and(|rest| rest.starts_with(b"."))
        };
        if self
            .locks
            .iter()
            .any(|lock| lock.names.iter().any(covers) == lock.only)
        {
            return Err(Change::LockedField(words(name)));
        }
        Ok(())
    }
}
