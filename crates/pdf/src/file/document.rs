//! A file opened for reading.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};

use rustc_hash::FxHashMap;

use super::decryption::Decryption;
use super::encryption::Encryption;
use super::object::{MAX_STARTXREF_DISTANCE, Stream, member_index, object_at, paid, startxref, stream_at};
use super::recover;
use super::section::{Budget, Entry, Section};
use super::xref::{self, Table};
use super::xref_stream::decode;
use crate::damage::Damage;
use crate::limits::Limits;
use crate::meter::Meter;
use crate::syntax::{Dict, Kind, Ref, Value};

/// A file whose cross-references have been read.
#[derive(Debug)]
pub struct Document<'a> {
    src: &'a [u8],
    startxref: usize,
    table: Table<'a>,
    decryption: Option<Decryption>,
    members: FxHashMap<u32, OnceCell<Result<Members, Damage>>>,
    meter: Meter,
    member_cap: usize,
    inflated: Cell<usize>,
    touched: RefCell<Vec<(usize, usize)>>,
    is_recovered: bool,
}

/// An inflated object stream: its bytes, and the number and offset of each object.
#[derive(Debug)]
struct Members {
    data: Vec<u8>,
    index: Vec<(u32, usize)>,
}

impl<'a> Document<'a> {
    /// Reads the cross-references of a file, following its own pointers only.
    pub fn open(src: &'a [u8], limits: &Limits) -> Result<Self, Damage> {
        Self::open_with(src, limits, Meter::with_limits(limits, limits.values))
    }

    /// The same with a meter that other readings share.
    pub fn open_with(src: &'a [u8], limits: &Limits, meter: Meter) -> Result<Self, Damage> {
        let startxref = startxref(src, &meter)?;
        let mut budget = Budget {
            limits,
            entries: limits.entries,
            inflated: limits.inflated,
        };
        let table = xref::read(src, startxref, &meter, &mut budget)?;
        let inflated = budget.inflated;
        let mut document = Self::of(src, table, limits, meter)?;
        document.startxref = startxref;
        document.inflated = Cell::new(inflated);
        Ok(document)
    }

    /// Reads a file whose cross-references are of no use: each object is where its last header stands. Such a document
    /// is only good to make a sound copy of.
    pub fn recover(src: &'a [u8], limits: &Limits) -> Result<Self, Damage> {
        let meter = Meter::with_limits(limits, limits.values);
        let table = recover::read(src, limits, &meter)?;
        let mut document = Self::of(src, table, limits, meter)?;
        document.is_recovered = true;
        document.list_packed(limits)?;
        Ok(document)
    }

    /// Lists the objects inside object streams, unless a newer version stands after the stream.
    fn list_packed(&mut self, limits: &Limits) -> Result<(), Damage> {
        let mut streams = Vec::new();
        for (number, entry) in &self.table.entries {
            if let Entry::At {
                offset,
                generation: 0,
            } = *entry
                && recover::is_object_stream(self.src, offset, &self.meter)?
            {
                streams.push((offset, *number));
            }
        }
        streams.sort_unstable();
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        for (offset, stream) in streams {
            for (index, number) in (0..).zip(self.packed(offset)?) {
                let known = match self.table.entries.get(&number) {
                    Some(Entry::At { offset, .. }) => Some(*offset),
                    _ => places.get(&number).copied(),
                };
                if number < limits.size && known.is_none_or(|known| known < offset) {
                    self.table.entries.insert(number, Entry::In { stream, index });
                    places.insert(number, offset);
                }
            }
            self.members.entry(stream).or_default();
        }
        if self.table.entries.len() > limits.objects {
            return Err(Damage::TooManyObjects);
        }
        Ok(())
    }

    /// The same document for another reading, which gets a budget of its own.
    #[must_use]
    pub fn with_fresh_budget(self, limits: &Limits) -> Self {
        Self {
            meter: Meter::with_limits(limits, limits.values),
            inflated: Cell::new(limits.inflated),
            ..self
        }
    }

    fn of(src: &'a [u8], table: Table<'a>, limits: &Limits, meter: Meter) -> Result<Self, Damage> {
        let decryption = Decryption::open(src, &table, &meter)?;
        let mut members = FxHashMap::default();
        for entry in table.entries.values() {
            if let Entry::In { stream, .. } = entry {
                members.entry(*stream).or_insert_with(OnceCell::new);
            }
        }
        let mut touched: Vec<_> = table
            .sections
            .iter()
            .flat_map(|section| section.spans.clone())
            .collect();
        touched.push((src.len().saturating_sub(MAX_STARTXREF_DISTANCE), src.len()));
        touched.extend(decryption.as_ref().and_then(|decryption| decryption.span));
        Ok(Self {
            src,
            startxref: 0,
            table,
            decryption,
            members,
            meter,
            member_cap: limits.object_stream,
            inflated: Cell::new(limits.inflated),
            touched: RefCell::new(touched),
            is_recovered: false,
        })
    }

    pub fn bytes(&self) -> &'a [u8] {
        self.src
    }

    /// The offset of the newest cross-reference section.
    pub fn startxref(&self) -> usize {
        self.startxref
    }

    /// The cross-reference sections, newest first.
    pub fn sections(&self) -> &[Section<'a>] {
        &self.table.sections
    }

    /// The newest trailer.
    pub fn trailer(&self) -> Result<&Dict<'a>, Damage> {
        self.table
            .sections
            .first()
            .map(|section| &section.trailer)
            .ok_or(Damage::NoEnd)
    }

    /// How the file is encrypted, if it is.
    pub fn encryption(&self) -> Option<&Encryption> {
        self.decryption.as_ref().map(|decryption| &decryption.encryption)
    }

    pub fn entry(&self, number: u32) -> Entry {
        self.table.entries.get(&number).copied().unwrap_or(Entry::Free)
    }

    /// Whether the cross-references say that objects in use are inside this one.
    pub fn is_container(&self, number: u32) -> bool {
        self.members.contains_key(&number)
    }

    /// Whether its objects were found by their headers.
    pub fn is_recovered(&self) -> bool {
        self.is_recovered
    }

    /// Every object that is listed, with its newest entry.
    pub fn entries(&self) -> impl Iterator<Item = (u32, Entry)> {
        self.table.entries.iter().map(|(number, entry)| (*number, *entry))
    }

    /// The decoded bytes of a stream that is uncompressed or Flate once.
    pub fn decoded(&self, id: Ref) -> Result<Vec<u8>, Damage> {
        let stream = self.stream(id)?;
        self.inflate(&stream, id)
    }

    fn inflate(&self, stream: &Stream<'_>, id: Ref) -> Result<Vec<u8>, Damage> {
        self.meter.check_time()?;
        let cap = self.member_cap.min(self.inflated.get());
        let data = match &self.decryption {
            Some(decryption) => {
                let data = decryption.stream(id, &stream.dict, stream.data)?;
                decode(&stream.dict, &data, cap, id.number, self.is_recovered)?
            }
            None => decode(&stream.dict, stream.data, cap, id.number, self.is_recovered)?,
        };
        self.inflated.set(self.inflated.get().saturating_sub(data.len()));
        Ok(data)
    }

    /// The budget of this reading.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Charges work on this many bytes.
    pub fn charge_bytes(&self, bytes: usize) -> Result<(), Damage> {
        self.meter.charge_bytes(bytes)
    }

    /// Fails if the time is over.
    pub fn check_time_if_started(&self) -> Result<(), Damage> {
        self.meter.check_time_if_started()
    }

    /// The ranges of bytes that were read so far.
    pub fn touched(&self) -> Vec<(usize, usize)> {
        self.touched.borrow().clone()
    }

    /// The object of a reference; `None` where it is free, as the format demands.
    pub fn get(&self, id: Ref) -> Result<Option<Value<'_>>, Damage> {
        Ok(self.find(id)?.map(|(value, _)| value))
    }

    /// The same, and where it ends in the file, unless a stream follows it or it is inside an object stream.
    pub fn find(&self, id: Ref) -> Result<Option<(Value<'_>, Option<usize>)>, Damage> {
        match self.entry(id.number) {
            Entry::Free => Ok(None),
            Entry::At { generation, .. } if generation != id.generation => Ok(None),
            Entry::At { offset, .. } => {
                let ((found, value), end) = object_at(self.src, offset, &self.meter)?;
                self.touched.borrow_mut().push((offset, end));
                if found != id {
                    return Err(Damage::Misplaced(id.number));
                }
                let value = match &self.decryption {
                    Some(decryption) => decryption.value(id, value, &self.meter)?,
                    None => value,
                };
                Ok(Some((value, (!self.streams(end)).then_some(end))))
            }
            Entry::In { .. } if id.generation != 0 => Ok(None),
            Entry::In { stream, index } => {
                let value = self.member(id.number, stream, index)?;
                Ok(Some((value, None)))
            }
        }
    }

    /// Whether the bytes up to `end` end with the keyword `stream`.
    fn streams(&self, end: usize) -> bool {
        self.src.get(..end).is_some_and(|head| head.ends_with(b"stream"))
    }

    /// The value itself, or the object it refers to.
    pub fn resolve<'d>(&'d self, value: &Value<'d>) -> Result<Value<'d>, Damage> {
        let Kind::Ref(mut id) = value.kind else {
            return Ok(value.clone());
        };
        for _ in 0..8 {
            let Some(found) = self.get(id)? else {
                return Ok(Value {
                    raw: b"null",
                    kind: Kind::Null,
                });
            };
            match found.kind {
                Kind::Ref(next) => id = next,
                _ => return Ok(found),
            }
        }
        Err(Damage::Loop)
    }

    /// The value under a key of a dictionary, with references followed.
    pub fn lookup<'d>(&'d self, dict: &Dict<'d>, key: &str) -> Result<Option<Value<'d>>, Damage> {
        let Some(value) = dict.get(key) else {
            return Ok(None);
        };
        Ok(Some(self.resolve(value)?).filter(|found| !matches!(found.kind, Kind::Null)))
    }

    /// The dictionary under a key, if there is one; a value of another type is damage.
    pub fn lookup_dict<'d>(&'d self, dict: &Dict<'d>, key: &'static str) -> Result<Option<Dict<'d>>, Damage> {
        match self.lookup(dict, key)?.map(|value| value.kind) {
            None => Ok(None),
            Some(Kind::Dict(found)) if found.ambiguous => Err(Damage::Ambiguous),
            Some(Kind::Dict(found)) => Ok(Some(found)),
            Some(_) => Err(Damage::Entry(key)),
        }
    }

    /// The array under a key, if there is one; a value of another type is damage.
    pub fn lookup_array<'d>(
        &'d self,
        dict: &Dict<'d>,
        key: &'static str,
    ) -> Result<Option<Vec<Value<'d>>>, Damage> {
        match self.lookup(dict, key)?.map(|value| value.kind) {
            None => Ok(None),
            Some(Kind::Array(items)) => Ok(Some(items)),
            Some(_) => Err(Damage::Entry(key)),
        }
    }

    /// The stream object of a reference; the bytes of an encrypted file are as they stand there.
    pub fn stream(&self, id: Ref) -> Result<Stream<'_>, Damage> {
        let Entry::At { offset, generation } = self.entry(id.number) else {
            return Err(Damage::Missing(id.number));
        };
        if generation != id.generation {
            return Err(Damage::Missing(id.number));
        }
        let length = |length: Ref| self.get(length).ok()??.as_int();
        let (found, mut stream, _) = stream_at(self.src, offset, &self.meter, &length, self.is_recovered)?;
        if found != id {
            return Err(Damage::Misplaced(id.number));
        }
        if self.decryption.is_some()
            && let Some(Kind::Dict(dict)) = self.get(id)?.map(|value| value.kind)
        {
            stream.dict = dict;
        }
        Ok(stream)
    }

    /// The dictionary and the bytes of a stream, not encrypted.
    pub fn plain_stream(&self, id: Ref) -> Result<(Dict<'_>, Cow<'_, [u8]>), Damage> {
        let stream = self.stream(id)?;
        let data = match &self.decryption {
            Some(decryption) => decryption.stream(id, &stream.dict, stream.data)?.into(),
            None => stream.data.into(),
        };
        Ok((stream.dict, data))
    }

    /// The number and generation in the header of the object at `offset`, and where the object ends, its stream
    /// included.
    pub fn extent(&self, offset: usize) -> Result<(Ref, usize), Damage> {
        let ((id, _), end) = object_at(self.src, offset, &self.meter)?;
        if !self.streams(end) {
            return Ok((id, end));
        }
        let length = |length: Ref| self.get(length).ok()??.as_int();
        let stream = stream_at(self.src, offset, &self.meter, &length, self.is_recovered);
        Ok((id, stream.map_or(end, |(_, _, end)| end)))
    }

    /// The numbers of the objects inside the one at `offset`: none if it is no object stream.
    pub fn packed(&self, offset: usize) -> Result<Vec<u32>, Damage> {
        let ((id, value), end) = object_at(self.src, offset, &self.meter)?;
        let Some(dict) = value.as_dict().filter(|_| self.streams(end)) else {
            return Ok(Vec::new());
        };
        let kind = self.lookup(dict, "Type")?;
        if kind.as_ref().and_then(Value::as_name) != Some(b"ObjStm") {
            return Ok(Vec::new());
        }
        let numbers = |index: &[(u32, usize)]| index.iter().map(|(number, _)| *number).collect::<Vec<u32>>();
        if let Some(cell) = self.members.get(&id.number)
            && matches!(self.entry(id.number), Entry::At { offset: place, .. } if place == offset)
        {
            let members = cell.get_or_init(|| self.members(id.number)).as_ref();
            return members
                .map(|members| numbers(&members.index))
                .map_err(|damage| *damage);
        }
        let length = |length: Ref| self.get(length).ok()??.as_int();
        let (_, stream, _) = stream_at(self.src, offset, &self.meter, &length, self.is_recovered)?;
        let data = self.inflate(&stream, id)?;
        Ok(numbers(&member_index(&stream.dict, &data, &self.meter)?))
    }

    fn member(&self, number: u32, stream: u32, index: u32) -> Result<Value<'_>, Damage> {
        let cell = self.members.get(&stream).ok_or(Damage::Missing(stream))?;
        let members = cell
            .get_or_init(|| self.members(stream))
            .as_ref()
            .map_err(|damage| *damage)?;
        let slot = usize::try_from(index)
            .ok()
            .and_then(|index| members.index.get(index));
        let &(found, at) = slot.ok_or(Damage::Misplaced(number))?;
        if found != number {
            return Err(Damage::Misplaced(number));
        }
        let (value, _) = paid(&members.data, at, &self.meter, |parser| {
            Ok((parser.value()?, parser.position()))
        })?;
        Ok(value)
    }

    fn members(&self, number: u32) -> Result<Members, Damage> {
        let Entry::At {
            offset,
            generation: 0,
        } = self.entry(number)
        else {
            return Err(Damage::Missing(number));
        };
        let length = |length: Ref| match self.entry(length.number) {
            Entry::At { .. } => self.get(length).ok()??.as_int(),
            _ => None,
        };
        let (found, stream, end) = stream_at(self.src, offset, &self.meter, &length, self.is_recovered)?;
        if found.number != number || stream.dict.name("Type") != Some(b"ObjStm") {
            return Err(Damage::Misplaced(number));
        }
        self.touched.borrow_mut().push((offset, end));
        let data = self.inflate(&stream, found)?;
        let index = member_index(&stream.dict, &data, &self.meter)?;
        Ok(Members { data, index })
    }
}
