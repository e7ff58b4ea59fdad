"""Draws the first page of each file at a width with pdfium, as PNG by fpng, and prints name, the median
of milliseconds of processor time a page, milliseconds of that for the PNG, and its size. Needs pypdfium2, fpng_py and numpy."""

import pathlib
import statistics
import sys
import time

import fpng_py
import pypdfium2

width, rounds = int(sys.argv[1]), int(sys.argv[2])
for name in sys.argv[3:]:
    document = pypdfium2.PdfDocument(pathlib.Path(name).read_bytes())
    page = document[0]
    scale = width / page.get_size()[0]
    encoding = 0.0

    def draw():
        global encoding
        # Red, green, blue, in pdfium's own order reversed by itself: nothing is converted on our account.
        bitmap = page.render(scale=scale, rev_byteorder=True, draw_annots=True)
        start = time.process_time()
        pixels = bytes(bitmap.buffer)
        png = fpng_py.fpng_encode_image_to_memory(pixels, bitmap.width, bitmap.height, bitmap.n_channels)
        encoding += time.process_time() - start
        bitmap.close()
        return png

    png = draw()
    spent, encoded = [], []
    for _ in range(rounds):
        encoding, start = 0.0, time.process_time()
        draw()
        spent.append((time.process_time() - start) * 1000)
        encoded.append(encoding * 1000)
    print(pathlib.Path(name).stem, statistics.median(spent), statistics.median(encoded), len(png))
