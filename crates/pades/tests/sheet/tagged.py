"""Rules of PDF/UA-1 that increments could break, checked one by one in an independent reader (pyHanko's).

Usage: tagged.py before.pdf after.pdf
Prints a line for each rule that is broken.
"""

import re
import sys

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

before_file, after_file = (open(name, "rb") for name in sys.argv[1:3])
before, after = PdfFileReader(before_file), PdfFileReader(after_file)


def broken(rule):
    print("broken:", rule)


def items(array):
    return [array[place] for place in range(len(array))]


def name_of(owner, key):
    """The number of the object that an entry or item refers to."""
    raw = owner.raw_get(key)
    return raw.idnum if isinstance(raw, generic.IndirectObject) else None


for key in ("/Lang", "/MarkInfo", "/ViewerPreferences"):
    if before.root[key] != after.root[key]:
        broken(f"{key} changed")
root_name = name_of(after.root, "/StructTreeRoot")
root = after.root["/StructTreeRoot"]


def numbers(node):
    """The entries of a number tree: each key with the array or the dictionary that has its value."""
    if "/Nums" in node:
        array = node["/Nums"]
        keys = [int(array[place]) for place in range(0, len(array), 2)]
        if keys != sorted(set(keys)):
            broken(f"keys are not in order: {keys}")
        if "/Limits" in node and [keys[0], keys[-1]] != [int(limit) for limit in node["/Limits"]]:
            broken(f"limits of {keys} are {node['/Limits']}")
        for place, key in enumerate(keys):
            yield key, (array, 2 * place + 1)
    last = -1
    for kid in items(node["/Kids"]) if "/Kids" in node else ():
        low, high = (int(limit) for limit in kid["/Limits"])
        if low <= last:
            broken(f"a node from {low} comes after {last}")
        last = high
        yield from numbers(kid)


parents = dict(numbers(root["/ParentTree"]))
if int(root["/ParentTreeNextKey"]) <= max(parents):
    broken("the next key is in use")

elements = {}


def walk(owner, owner_name):
    if "/K" not in owner:
        return
    kids = owner["/K"]
    places = range(len(kids)) if isinstance(kids, generic.ArrayObject) else (None,)
    for place in places:
        kid = kids if place is None else kids[place]
        if not isinstance(kid, generic.DictionaryObject) or kid.get("/Type") == "/OBJR":
            continue
        name = name_of(owner, "/K") if place is None else name_of(kids, place)
        if name_of(kid, "/P") != owner_name:
            broken(f"{kid['/S']} names another parent")
        elements[name] = kid
        walk(kid, name)


walk(root, root_name)
for element in elements.values():
    if element["/S"] not in ("/Document", "/Sect", "/P", "/Figure", "/Form"):
        broken(f"an element is {element['/S']}")
    if element["/S"] in ("/Figure", "/Form") and not element.get("/Alt"):
        broken(f"a {element['/S']} has no words")
sections = [element for element in elements.values() if element["/S"] == "/Sect"]
if not sections or any(section.get("/Lang") != "es" for section in sections):
    broken("the sheet is in no section of its language")


def pages(node):
    for place, kid in enumerate(items(node["/Kids"])):
        if kid["/Type"] == "/Pages":
            yield from pages(kid)
        else:
            yield name_of(node["/Kids"], place), kid


def marks(where, content):
    """The marked parts of a page that have a number; everything drawn is in a marked part or an artifact."""
    depth, found = [], []
    tokens = r"/(\w+)\s*(<<(?:[^<>]|<[^<>]*>)*>>)?\s*(BDC|BMC)\b|\b(EMC|Tj|TJ|f|S|Do|B|sh)\b"
    for match in re.finditer(tokens, content):
        kind, properties, begin, operator = match.groups()
        if begin:
            depth.append(kind)
            number = re.search(r"/MCID (\d+)", properties or "")
            if number:
                found.append(("/" + kind, int(number[1])))
        elif operator == "EMC":
            depth.pop()
        elif not depth:
            broken(f"{where}: {operator} is neither marked nor an artifact")
    if depth:
        broken(f"{where}: marks are not closed")
    return found


old = before.root["/Pages"]["/Count"]
fields = 0
for number, (page_name, page) in enumerate(pages(after.root["/Pages"]), 1):
    where = f"page {number}"
    if number > old:
        if page.get("/Tabs") != "/S":
            broken(f"{where} has another order of tabs")
        found = marks(where, page["/Contents"].data.decode("latin-1"))
        owner, place = parents[int(page["/StructParents"])]
        listed = owner[place]
        if not found or [mark for _, mark in found] != list(range(len(listed))):
            broken(f"{where}: marks and elements differ")
        for (kind, mark), element in zip(found, items(listed)):
            if name_of(listed, mark) not in elements or element["/K"] != mark or element["/S"] != kind:
                broken(f"{where}: mark {mark} belongs to no element")
            if name_of(element, "/Pg") != page_name:
                broken(f"{where}: mark {mark} belongs to another page")
    annotations = page["/Annots"] if "/Annots" in page else ()
    for place, field in enumerate(items(annotations)):
        # The tree cannot change once the document is signed: the field of a timestamp, which has no area, is not in it.
        if field["/T"] == "Sello":
            continue
        fields += 1
        if not field.get("/TU"):
            broken(f"{field['/T']} has no words")
        owner, at = parents[int(field["/StructParent"])]
        if name_of(owner, at) not in elements or owner[at]["/S"] != "/Form":
            broken(f"{field['/T']} is in no form element")
        elif name_of(owner[at]["/K"], "/Obj") != name_of(annotations, place):
            broken(f"the element of {field['/T']} is another's")
if fields < 3:
    broken("fields are missing")
