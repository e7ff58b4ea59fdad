"""Writes five contracts as the usual programs would: standard fonts, an embedded font, typesetting, a table with a
logo, a scan. Needs reportlab, fpdf2, typst and Pillow."""

import io
import pathlib
import random
import sys

import reportlab
import typst
from fpdf import FPDF
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Image as Picture
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

CLAUSE = (
    "Las partes acuerdan que el arrendatario pagará al arrendador, dentro de los cinco primeros días de cada mes, "
    "la suma de dos millones cuatrocientos mil pesos ($2.400.000), mediante consignación en la cuenta que éste "
    "indique por escrito. El incumplimiento de esta obligación dará lugar a los intereses de mora que autoriza la "
    "ley, sin perjuicio de las demás acciones que correspondan al arrendador según este contrato."
)
ORDINALS = ["Primera", "Segunda", "Tercera", "Cuarta", "Quinta", "Sexta", "Séptima", "Octava", "Novena"]
VERA = str(pathlib.Path(reportlab.__file__).parent / "fonts") + "/"


def standard(path):
    styles = getSampleStyleSheet()
    story = [Paragraph("Contrato de arrendamiento", styles["Title"])]
    for name in ORDINALS[:8]:
        story += [Paragraph(f"<b>{name}.</b> {CLAUSE}", styles["BodyText"]), Spacer(1, 6)]
    SimpleDocTemplate(str(path), pagesize=A4).build(story)


def embedded(path):
    pdf = FPDF(format="A4")
    pdf.add_page()
    pdf.add_font("Serif", "", VERA + "Vera.ttf")
    pdf.add_font("Serif", "B", VERA + "VeraBd.ttf")
    pdf.set_font("Serif", "B", 16)
    pdf.multi_cell(0, 10, "Promesa de compraventa", new_x="LMARGIN", new_y="NEXT")
    for name in ORDINALS[:7]:
        pdf.set_font("Serif", "B", 10)
        pdf.multi_cell(0, 5, f"Cláusula {name.lower()}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Serif", "", 10)
        pdf.multi_cell(0, 5, CLAUSE, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(2)
    pdf.output(str(path))


def typeset(path):
    clauses = "\n\n".join(f"*{name}.* {CLAUSE.replace('$', chr(92) + '$')}" for name in ORDINALS)
    source = f"#set page(paper: \"a4\")\n#set text(lang: \"es\", size: 10.5pt)\n#set par(justify: true)\n= Contrato de prestación de servicios\n\n{clauses}"
    typst.compile(source.encode(), output=str(path))


def logo():
    image = Image.new("RGB", (600, 200), "white")
    draw = ImageDraw.Draw(image)
    for step in range(300):
        draw.line([(step * 2, 0), (step * 2, 200)], fill=(20, 60 + step // 3, 140 + step // 4), width=2)
    draw.text((40, 60), "Inmobiliaria", fill="white", font=ImageFont.truetype(VERA + "VeraBd.ttf", 64))
    out = io.BytesIO()
    image.save(out, "PNG")
    out.seek(0)
    return out


def table(path):
    styles = getSampleStyleSheet()
    rows = [["Concepto", "Cantidad", "Valor", "Total"]]
    rows += [[f"Servicio número {n}", str(n), "$ 125.000", f"$ {n * 125}.000"] for n in range(1, 25)]
    grid = Table(rows, colWidths=[220, 70, 90, 90])
    grid.setStyle([("GRID", (0, 0), (-1, -1), 0.5, "grey"), ("BACKGROUND", (0, 0), (-1, 0), "#dde6f0")])
    story = [Picture(logo(), 180, 60), Paragraph("Anexo de precios", styles["Title"]), grid, Spacer(1, 12)]
    SimpleDocTemplate(str(path), pagesize=A4).build(story + [Paragraph(CLAUSE, styles["BodyText"])])


def scan(path):
    noise = random.Random(1)
    page = Image.new("RGB", (1240, 1754), (246, 244, 238))
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(VERA + "Vera.ttf", 22)
    words, y, line = (CLAUSE + " ").split(" ") * 9, 120, ""
    for word in words:
        if draw.textlength(line + word, font) > 1000:
            draw.text((120 + noise.random() * 2, y), line, fill=(40, 38, 45), font=font)
            line, y = "", y + 32
        line += word + " "
    page = page.rotate(0.4, fillcolor=(246, 244, 238), resample=Image.BICUBIC).filter(ImageFilter.GaussianBlur(0.6))
    page.save(str(path), "PDF", resolution=150.0, quality=75)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for name, write in [("standard", standard), ("embedded", embedded), ("typeset", typeset), ("table", table), ("scan", scan)]:
        write(folder / f"{name}.pdf")
