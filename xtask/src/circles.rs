//! No two modules of a crate may need each other, directly or around a corner: what each is about could not be said without
//! the other. The imports and paths of every file are read, and followed through re-exports to the file that defines the
//! name. A module and what it contains are one thing: a child may use what its parent defines.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use parts::{Error, Result};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree, Visibility};

/// Fails where modules of one crate form a circle.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut found = String::new();
    for member in members(root)? {
        for entry in ["src/lib.rs", "src/main.rs"].map(|entry| member.join(entry)) {
            if entry.exists() {
                for circle in circles(&Crate::read(&entry)?) {
                    let _ = writeln!(found, "{circle}");
                }
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(Error::new(format!("modules that need each other:\n{found}")))
}

fn members(root: &Path) -> Result<Vec<PathBuf>> {
    let mut members = vec![root.join("xtask")];
    for entry in fs::read_dir(root.join("crates"))? {
        members.push(entry?.path());
    }
    members.sort();
    Ok(members)
}

/// A module: what it defines, contains and imports.
#[derive(Default)]
struct Module {
    file: PathBuf,
    parent: Option<usize>,
    children: HashMap<String, usize>,
    defined: BTreeSet<String>,
    imports: HashMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    /// Paths that are written in it, other than re-exports.
    paths: Vec<Vec<String>>,
}

struct Crate {
    modules: Vec<Module>,
}

impl Crate {
    fn read(entry: &Path) -> Result<Self> {
        let mut read = Self { modules: Vec::new() };
        read.add_file(entry, None)?;
        Ok(read)
    }

    fn add_file(&mut self, path: &Path, parent: Option<usize>) -> Result<usize> {
        let file = syn::parse_file(&fs::read_to_string(path)?)
            .map_err(|error| Error::new(format!("{}: {error}", path.display())))?;
        let module = self.new_module(path, parent);
        self.add_items(module, file.items)?;
        Ok(module)
    }

    fn new_module(&mut self, path: &Path, parent: Option<usize>) -> usize {
        self.modules.push(Module {
            file: path.to_owned(),
            parent,
            ..Module::default()
        });
        self.modules.len() - 1
    }

    fn add_items(&mut self, module: usize, items: Vec<Item>) -> Result<()> {
        for item in items {
            match item {
                Item::Mod(item) if !is_for_tests(&item.attrs) => {
                    let name = item.ident.to_string();
                    let child = if let Some((_, items)) = item.content {
                        let path = self.modules[module].file.clone();
                        let child = self.new_module(&path, Some(module));
                        self.add_items(child, items)?;
                        child
                    } else {
                        let path = file_of(&self.modules[module].file, &name);
                        self.add_file(&path, Some(module))?
                    };
                    self.modules[module].children.insert(name, child);
                }
                Item::Use(item) if !is_for_tests(&item.attrs) => self.add_use(module, &item),
                Item::Mod(_) | Item::Use(_) => {}
                item => {
                    let module = &mut self.modules[module];
                    module.defined.extend(name_of(&item));
                    let mut paths = Paths(&mut module.paths);
                    paths.visit_item(&item);
                }
            }
        }
        Ok(())
    }

    fn add_use(&mut self, module: usize, item: &ItemUse) {
        let is_reexport = !matches!(item.vis, Visibility::Inherited);
        let module = &mut self.modules[module];
        for (name, path) in leaves(&item.tree) {
            if !is_reexport {
                module.paths.push(path.clone());
            }
            match name {
                Some(name) => {
                    module.imports.insert(name, path);
                }
                None => module.globs.push(path),
            }
        }
    }

    /// Whether a module is inside another, at any depth.
    fn contains(&self, outer: usize, inner: usize) -> bool {
        let parents = std::iter::successors(Some(inner), |module| self.modules[*module].parent);
        parents.skip(1).any(|parent| parent == outer)
    }

    /// The module that defines what a path names; nothing for names of other crates.
    fn resolve(&self, from: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.descend(0, rest, depth),
            "self" => self.descend(from, rest, depth),
            "super" => self.descend(self.modules[from].parent?, rest, depth),
            _ => self.lookup(from, first, rest, depth),
        }
    }

    fn descend(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        match path.split_first() {
            None => None,
            Some((first, rest)) if first == "super" => {
                self.descend(self.modules[module].parent?, rest, depth)
            }
            Some((first, rest)) => self.lookup(module, first, rest, depth),
        }
    }

    fn lookup(&self, module: usize, name: &str, rest: &[String], depth: usize) -> Option<usize> {
        const MAX_REEXPORTS: usize = 16;
        let here = &self.modules[module];
        if here.defined.contains(name) {
            return Some(module);
        }
        if let Some(child) = here.children.get(name) {
            return self.descend(*child, rest, depth);
        }
        if depth > MAX_REEXPORTS {
            return None;
        }
        if let Some(path) = here.imports.get(name) {
            let whole = [path.as_slice(), rest].concat();
            // An import that names itself is another crate's.
            return (path.first().map(String::as_str) != Some(name))
                .then(|| self.resolve(module, &whole, depth + 1))
                .flatten();
        }
        here.globs.iter().find_map(|glob| {
            let mut whole = glob.clone();
            whole.push(name.to_owned());
            whole.extend_from_slice(rest);
            self.resolve(module, &whole, depth + 1)
        })
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .meta
                .require_list()
                .is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

fn file_of(parent: &Path, name: &str) -> PathBuf {
    let directory = parent.parent().unwrap_or(parent);
    let stem = parent.file_stem().unwrap_or_default();
    let directory = if ["lib", "main", "mod"].iter().any(|root| stem == *root) {
        directory.to_owned()
    } else {
        directory.join(stem)
    };
    let file = directory.join(format!("{name}.rs"));
    if file.exists() {
        file
    } else {
        directory.join(name).join("mod.rs")
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// What a tree imports: each name, or nothing for all names, with its path.
fn leaves(tree: &UseTree) -> Vec<(Option<String>, Vec<String>)> {
    match tree {
        UseTree::Path(path) => leaves(&path.tree)
            .into_iter()
            .map(|(name, mut rest)| {
                rest.insert(0, path.ident.to_string());
                (name, rest)
            })
            .collect(),
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            let path = if name == "self" {
                Vec::new()
            } else {
                vec![name.clone()]
            };
            vec![(Some(name), path)]
        }
        UseTree::Rename(rename) => vec![(Some(rename.rename.to_string()), vec![rename.ident.to_string()])],
        UseTree::Glob(_) => vec![(None, Vec::new())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// Collects the paths of expressions, types and patterns.
struct Paths<'p>(&'p mut Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string());
        self.0.push(segments.collect());
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

/// The circles of a crate, each in words.
fn circles(read: &Crate) -> Vec<String> {
    let mut arrows: BTreeMap<&Path, BTreeMap<&Path, BTreeSet<String>>> = BTreeMap::new();
    for (number, module) in read.modules.iter().enumerate() {
        for path in &module.paths {
            if let Some(defined) = read.resolve(number, path, 0) {
                let (from, to) = (module.file.as_path(), read.modules[defined].file.as_path());
                if from != to && !read.contains(defined, number) && !read.contains(number, defined) {
                    let names = arrows.entry(from).or_default().entry(to).or_default();
                    names.insert(path.join("::"));
                }
            }
        }
    }
    let reach: BTreeMap<&Path, BTreeSet<&Path>> = arrows
        .keys()
        .map(|from| (*from, reachable(from, &arrows)))
        .collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (file, reached) in &reach {
        if !reached.contains(file) || !seen.insert(*file) {
            continue;
        }
        let circle: BTreeSet<&Path> = reached
            .iter()
            .copied()
            .filter(|other| reach.get(other).is_some_and(|back| back.contains(file)))
            .collect();
        seen.extend(&circle);
        found.push(in_words(&circle, &arrows));
    }
    found
}

fn reachable<'a>(
    from: &Path,
    arrows: &BTreeMap<&'a Path, BTreeMap<&'a Path, BTreeSet<String>>>,
) -> BTreeSet<&'a Path> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&Path> = vec![from];
    while let Some(file) = next.pop() {
        for to in arrows.get(file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(*to) {
                next.push(to);
            }
        }
    }
    reached
}

fn in_words(circle: &BTreeSet<&Path>, arrows: &BTreeMap<&Path, BTreeMap<&Path, BTreeSet<String>>>) -> String {
    let mut text = String::new();
    for from in circle {
        for (to, names) in arrows.get(from).into_iter().flatten() {
            if circle.contains(to) {
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                let _ = writeln!(
                    text,
                    "  {} -> {}: {}",
                    from.display(),
                    to.display(),
                    names.join(", ")
                );
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use parts::Scratch;

    fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
        let scratch = Scratch::new().unwrap();
        for (name, text) in files {
            let path = scratch.directory().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        circles(&Crate::read(&scratch.directory().join("lib.rs")).unwrap())
    }

    #[test]
    fn modules_that_need_each_other_are_found_through_re_exports() {
        let found = circles_of(&[
            ("lib.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
            ("a.rs", "use crate::B; pub struct A(B);"),
            ("b/mod.rs", "pub struct B; fn f() -> Option<crate::A> { None }"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("a.rs") && found[0].contains("b/mod.rs"),
            "{found:?}"
        );
    }

    #[test]
    fn re_exports_tests_and_other_crates_are_no_arrows() {
        let found = circles_of(&[
            ("lib.rs", "mod a; pub use a::A; pub struct Root;"),
            (
                "a.rs",
                "use std::fmt; pub struct A(super::Root, fmt::Error); #[cfg(test)] mod tests { use crate::A; }",
            ),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }
}
