"""Draws the first page of each file with PDFium, forms and annotations included: a.pdf becomes a-pdfium.ppm."""

import sys

import pypdfium2

for name in sys.argv[1:]:
    document = pypdfium2.PdfDocument(name)
    document.init_forms()
    image = document[0].render(scale=1, may_draw_forms=True).to_pil().convert("RGB")
    image.save(name.removesuffix(".pdf") + "-pdfium.ppm")
