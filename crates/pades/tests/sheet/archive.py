"""Rules of PDF/A-1b, 2b and 3b that increments could break, checked one by one in an independent reader (pyHanko's).

Usage: archive.py before.pdf after.pdf part
Prints a line for each rule that is broken.
"""

import re
import sys

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

before_file, after_file = (open(name, "rb") for name in sys.argv[1:3])
part = int(sys.argv[3])
before, after = PdfFileReader(before_file), PdfFileReader(after_file)


def broken(rule):
    print("broken:", rule)


def items(array):
    return [array[place] for place in range(len(array))]


def metadata(reader):
    return reader.root["/Metadata"].data


if metadata(before) != metadata(after):
    broken("the metadata changed")
if before.root["/OutputIntents"] != after.root["/OutputIntents"]:
    broken("the output intents changed")
if "/ID" not in after.trailer:
    broken("there is no file identifier")
if "/Encrypt" in after.trailer:
    broken("the file is encrypted")


def info(reader):
    return reader.trailer["/Info"] if "/Info" in reader.trailer else None


if info(before) != info(after):
    broken("the document information changed")
for key in ("/AA", "/OpenAction", "/Collection"):
    if key in after.root:
        broken(f"the catalog has {key}")
form = after.root["/AcroForm"]
if form.get("/NeedAppearances") or "/XFA" in form:
    broken("readers have to draw the form")
if part == 1 and after.input_version > (1, 7):
    broken("a version that the part does not know")


def check_font(where, font):
    if font["/Subtype"] != "/Type0":
        return broken(f"{where}: {font['/Subtype']} is not embedded here")
    inner = font["/DescendantFonts"][0]
    descriptor = inner["/FontDescriptor"]
    program = next((key for key in ("/FontFile2", "/FontFile3") if key in descriptor), None)
    if program is None:
        return broken(f"{where}: a font is not embedded")
    if not descriptor[program].data:
        broken(f"{where}: a font is empty")
    if font["/BaseFont"] != inner["/BaseFont"] or font["/BaseFont"] != descriptor["/FontName"]:
        broken(f"{where}: names of a font differ")
    if "/FontFile2" in descriptor and "/CIDToGIDMap" not in inner:
        broken(f"{where}: a font has no map from codes to glyphs")
    if "/ToUnicode" not in font:
        broken(f"{where}: a font has no map to Unicode")
    if not re.fullmatch(r"/[A-Z]{6}\+.+", font["/BaseFont"]):
        broken(f"{where}: {font['/BaseFont']} does not look like a subset")
    if part == 1:
        listed = descriptor["/CIDSet"].data
        widths = inner["/W"]
        for start, row in zip(items(widths)[::2], items(widths)[1::2]):
            for code in range(int(start), int(start) + len(row)):
                if not listed[code // 8] & 0x80 >> code % 8:
                    broken(f"{where}: code {code} is not in the list of the font's codes")
        if not listed[0] & 0x80:
            broken(f"{where}: code 0 is not in the list of the font's codes")


def check_content(where, content, resources):
    fonts = resources["/Font"] if "/Font" in resources else {}
    for key in fonts:
        check_font(where, fonts[key])
    content = content.decode("latin-1")
    if re.search(r"\b(rg|RG)\b", content) and "/DefaultRGB" not in (resources["/ColorSpace"] if "/ColorSpace" in resources else {}):
        broken(f"{where}: red, green and blue mean nothing without a profile")
    if re.search(r"\s(k|K|g|G|gs|sh|Do|BI)\s", content):
        broken(f"{where}: operators that were not looked at")
    if "/ExtGState" in resources or "/XObject" in resources:
        broken(f"{where}: resources that were not looked at")


def pages(node):
    for kid in items(node["/Kids"]):
        if kid["/Type"] == "/Pages":
            yield from pages(kid)
        else:
            yield kid


old = before.root["/Pages"]["/Count"]
for number, page in enumerate(pages(after.root["/Pages"]), 1):
    if number > old:
        if "/Group" in page:
            broken("a new page has a transparency group")
        check_content(f"page {number}", page["/Contents"].data, page["/Resources"])
    for annotation in items(page["/Annots"] if "/Annots" in page else ()):
        where = f"annotation {annotation.get('/T')}"
        flags = annotation["/F"]
        if not flags & 4 or flags & (1 | 2 | 32):
            broken(f"{where} is not printed, or hidden")
        if list(annotation["/AP"] if "/AP" in annotation else ()) != ["/N"]:
            broken(f"{where} needs one appearance, the normal one")
            continue
        look = annotation["/AP"]["/N"]
        if not isinstance(look, generic.StreamObject) or "/Group" in look:
            broken(f"{where}: its appearance is no plain drawing")
        check_content(where, look.data, look["/Resources"])
        if "/A" in annotation or "/AA" in annotation:
            broken(f"{where} has an action")
        signature = annotation["/V"] if "/V" in annotation else None
        if signature and part == 1 and len(signature["/Contents"]) > 65535:
            broken(f"{where}: its signature is longer than a string may be")
