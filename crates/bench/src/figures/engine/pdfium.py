"""Prints the seconds of CPU that pdfium takes to draw the first page of a file at a width, with fpng or libjpeg-turbo for
the image.

WIDTH ROUNDS FORMAT FILE; the format is png or jpeg, and the middle of the rounds counts.
"""

import io
import pathlib
import statistics
import sys
import time

import fpng_py
import pypdfium2

width, rounds = int(sys.argv[1]), int(sys.argv[2])
format = sys.argv[3]
page = pypdfium2.PdfDocument(pathlib.Path(sys.argv[4]).read_bytes())[0]
scale = width / page.get_size()[0]


def draw():
    start = time.process_time()
    # Red, green, blue, in pdfium's own order reversed by itself: nothing is converted on our account.
    bitmap = page.render(scale=scale, rev_byteorder=True, draw_annots=True)
    if format == "jpeg":
        # The quality of our own encoder, where the bytes allow it.
        bitmap.to_pil().save(io.BytesIO(), "JPEG", quality=80, subsampling="4:2:0")
    else:
        fpng_py.fpng_encode_image_to_memory(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.n_channels)
    bitmap.close()
    return time.process_time() - start


draw()
print(statistics.median(draw() for _ in range(rounds)))
