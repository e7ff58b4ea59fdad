//! The changes that a signature forbids.

use pdf::Damage;
use pdf::file::Document;
use pdf::inspect::level;
use pdf::syntax::{Dict, Kind, Value};

use super::fields::shown;
use super::reason::Change;
use super::text_string::{UNKNOWN, decode};
use crate::sign::Permission;

/// Names in the locks of one signature, at most.
const MAX_LOCK_NAMES: usize = 5_000;

/// The changes a signature allows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rules {
    /// The level of a certification.
    pub(super) certifies: Option<Permission>,
    locks: Vec<FieldLock>,
    /// The number of locks and of the names in them.
    named: usize,
    closed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FieldLock {
    /// Whether the names are those locked, or those left open.
    only: bool,
    names: Vec<String>,
}

impl Rules {
    /// Reads the references of a signature and the lock of its field.
    pub(super) fn of<'d>(
        doc: &'d Document<'d>,
        signature: &Dict<'d>,
        field: &Dict<'d>,
    ) -> Result<Self, Damage> {
        let mut rules = Self::default();
        for item in doc.lookup_array(signature, "Reference")?.unwrap_or_default() {
            let Kind::Dict(reference) = doc.resolve(&item)?.kind else {
                continue;
            };
            if reference.ambiguous {
                return Err(Damage::Ambiguous);
            }
            let params = doc
                .lookup_dict(&reference, "TransformParams")?
                .unwrap_or_default();
            match doc
                .lookup(&reference, "TransformMethod")?
                .as_ref()
                .and_then(Value::as_name)
            {
                Some(b"DocMDP") => {
                    let permission = match level(doc, &params)? {
                        None | Some(2) => Permission::FillAndSign,
                        Some(3) => Permission::Annotate,
                        Some(_) => Permission::Nothing,
                    };
                    // Of two that contradict each other the stricter one counts.
                    let stricter = |one| strictness(one) >= strictness(permission);
                    if !rules.certifies.is_some_and(stricter) {
                        rules.certifies = Some(permission);
                    }
                }
                Some(b"FieldMDP") => rules.lock(doc, &params)?,
                _ => {}
            }
        }
        if let Some(lock) = doc.lookup_dict(field, "Lock")? {
            rules.lock(doc, &lock)?;
        }
        Ok(rules)
    }

    fn lock<'d>(&mut self, doc: &'d Document<'d>, params: &Dict<'d>) -> Result<(), Damage> {
        let names = doc.lookup_array(params, "Fields")?.unwrap_or_default();
        self.named += names.len() + 1;
        if self.named > MAX_LOCK_NAMES {
            return Err(Damage::TooManyObjects);
        }
        let read = |name: &Value<'d>| Ok(doc.resolve(name)?.as_string().map(|name| decode(&name)));
        let names: Option<Vec<String>> = names.iter().map(read).collect::<Result<_, Damage>>()?;
        self.closed |= level(doc, params)?.is_some_and(|level| !matches!(level, 2 | 3));
        // A name that cannot be read may be any name.
        let Some(names) = names else {
            self.locks.push(FieldLock::ALL);
            return Ok(());
        };
        match doc.lookup(params, "Action")?.as_ref().and_then(Value::as_name) {
            Some(b"Include") => self.locks.push(FieldLock { only: true, names }),
            Some(b"Exclude") => self.locks.push(FieldLock { only: false, names }),
            _ => self.locks.push(FieldLock::ALL),
        }
        Ok(())
    }

    /// Whether a field may be added, or a later signature be put into it. Timestamps of the document that draw
    /// nothing always may.
    pub(super) fn permit(&self, name: &str, is_timestamp: bool) -> Result<(), Change> {
        if is_timestamp {
            return Ok(());
        }
        if self.closed || self.certifies == Some(Permission::Nothing) {
            return Err(Change::Certified);
        }
        if self.locks.iter().any(|lock| lock.covers(name)) {
            return Err(Change::LockedField(shown(name)));
        }
        Ok(())
    }
}

impl FieldLock {
    /// Locks every field.
    const ALL: Self = Self {
        only: false,
        names: Vec::new(),
    };

    fn covers(&self, name: &str) -> bool {
        let is_named = self.names.iter().any(|listed| {
            name.strip_prefix(listed.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        if self.only {
            return is_named;
        }
        // Two names with undecodable bytes may differ.
        !is_named || name.contains(UNKNOWN)
    }
}

/// How much a certification forbids.
const fn strictness(permission: Permission) -> u8 {
    match permission {
        Permission::Nothing => 2,
        Permission::FillAndSign => 1,
        Permission::Annotate => 0,
    }
}
