"""Makes the documents that our records begin with, and those that they are compared with, into `files/`.

    .venv/bin/python suites/osworld/records/make_files.py        (needs LibreOffice, which gives them its own form)

They are kept in the repository, so this is needed only to change them. Whatever LibreOffice of another version writes
otherwise shows as a change of theirs.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from docx import Document
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font
from PIL import Image, ImageDraw
from pptx import Presentation

FILES = Path(__file__).with_name("files")
ROWS = [
    ["Order", "Customer", "Goods", "Quantity", "Price"],
    [1001, "Alder", "Brushes", 4, 4.75],
    [1002, "Rowan", "Ink", 2, 19.9],
    [1003, "Cedar", "Paper", 20, 6.25],
    [1004, "Birch", "Pens", 36, 1.5],
    [1005, "Hazel", "Ink", 1, 2.35],
    [1006, "Larch", "Tape", 8, 3.15],
]
LETTER = [
    "Dear members of the council of Brookfield,",
    "The square in front of the town hall is dark after sunset. We propose six lamps along its northern side. The air "
    "in Brookfield will not suffer: the lamps save a tonne of CO2 each year compared with the old ones.",
    "Costs are low, as the table shows. The lamps are made in the valley and can be delivered before the winter.",
    "Should the council prefer candles, we will bring them ourselves.",
]


def main() -> int:
    """Make all files."""
    with tempfile.TemporaryDirectory() as folder:
        calc(Path(folder))
        writer(Path(folder))
        impress(Path(folder))
    picture()
    return 0


def calc(folder: Path) -> None:
    """Make the workbook of orders, and what it should become."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Orders"
    for row in ROWS:
        sheet.append(row)
    notes = book.create_sheet("Notes")
    notes["A1"], notes["A2"] = "Notes on orders", "Hazel pays late"
    start = place("libreoffice_calc/shared/orders.xlsx")
    book.save(start)
    own_form(start, folder)

    def gold(name: str, change: Callable[[Any, Any], None]) -> None:
        made = load_workbook(start)
        change(made, made.worksheets[0])
        made.save(place(f"libreoffice_calc/{name}/orders_gold.xlsx"))

    def amounts(book: Any, sheet: Any) -> None:
        sheet["F1"] = "Amount"
        for number, row in enumerate(ROWS[1:], 2):
            sheet[f"F{number}"] = round(float(row[3]) * float(row[4]), 2)

    def bold(book: Any, sheet: Any) -> None:
        for cell in sheet[1]:
            cell.font = Font(name=cell.font.name, size=cell.font.size, bold=True)

    def toner(book: Any, sheet: Any) -> None:
        sheet["C3"] = sheet["C6"] = "Toner"

    def summary(book: Any, sheet: Any) -> None:
        last = book.create_sheet("Summary")
        last["A1"], last["B1"] = "Pieces", sum(int(row[3]) for row in ROWS[1:])

    def chart(book: Any, sheet: Any) -> None:
        bars = BarChart()
        bars.add_data(Reference(sheet, min_col=4, min_row=1, max_row=7), titles_from_data=True)
        sheet.add_chart(bars, "G2")

    gold("amount-column", amounts)
    gold("rename-first-sheet", lambda book, sheet: setattr(sheet, "title", "Orders 2026"))
    gold("freeze-header", lambda book, sheet: setattr(sheet, "freeze_panes", "A2"))
    gold("hide-one-row", lambda book, sheet: setattr(sheet.row_dimensions[4], "hidden", True))
    gold("bold-headings", bold)
    gold("replace-goods", toner)
    gold("remove-order", lambda book, sheet: sheet.delete_rows(6))
    gold("filter-headings", lambda book, sheet: setattr(sheet.auto_filter, "ref", "A1:E7"))
    gold("summary-sheet", summary)
    gold("column-chart", chart)
    with place("libreoffice_calc/export-csv/orders_gold.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(ROWS)


def writer(folder: Path) -> None:
    """Make the letter, and what it should become."""
    letter = Document()
    letter.add_paragraph("Lamps for the square")
    for text in LETTER[:3]:
        letter.add_paragraph(text)
    table = letter.add_table(rows=3, cols=2)
    for row, (thing, price) in zip(
        table.rows, [("Posts", "180"), ("Lamps", ""), ("Cables", "75")], strict=True
    ):
        row.cells[0].text, row.cells[1].text = thing, price
    letter.add_paragraph(LETTER[3])
    start = place("libreoffice_writer/shared/letter.docx")
    letter.save(start)
    own_form(start, folder)

    def gold(name: str, change: Callable[[Any], None]) -> None:
        made = Document(str(start))
        change(made)
        made.save(place(f"libreoffice_writer/{name}/letter_gold.docx"))

    def rename(document: Any) -> None:
        for paragraph in document.paragraphs:
            for run in paragraph.runs:
                run.text = run.text.replace("Brookfield", "Ashcombe")

    def space(document: Any) -> None:
        for paragraph in document.paragraphs:
            paragraph.paragraph_format.line_spacing = 2.0

    def subscript(document: Any) -> None:
        (paragraph,) = (one for one in document.paragraphs if "CO2" in one.text)
        before, after = paragraph.text.split("CO2")
        paragraph.runs[0].text = f"{before}CO"
        for run in paragraph.runs[1:]:
            run.text = ""
        paragraph.add_run("2").font.subscript = True
        paragraph.add_run(after)

    gold("replace-name", rename)
    gold("double-spacing", space)
    gold("subscript-two", subscript)
    gold("table-entry", lambda document: setattr(document.tables[0].cell(1, 1), "text", "240"))


def impress(folder: Path) -> None:
    """Make the talk, and what it should become."""
    talk = Presentation()
    for title, text in (
        ("A dark square", "What the council may decide"),
        ("How it became dark", "The old lamps broke one by one"),
        ("What it costs", "Less than a new fountain"),
    ):
        slide = talk.slides.add_slide(talk.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, text
    start = place("libreoffice_impress/shared/talk.pptx")
    talk.save(start)
    own_form(start, folder)

    def gold(name: str, change: Callable[[Any], None]) -> None:
        made = Presentation(str(start))
        change(made)
        made.save(place(f"libreoffice_impress/{name}/talk_gold.pptx"))

    def drop(deck: Any) -> None:
        second = deck.slides._sldIdLst[1]
        deck.part.drop_rel(second.rId)
        deck.slides._sldIdLst.remove(second)

    def first(deck: Any) -> Iterator[Any]:
        yield from deck.slides[0].shapes.title.text_frame.paragraphs[0].runs

    def rename(deck: Any) -> None:
        for run in first(deck):
            run.text = "Lamps for the square"

    def underline(deck: Any) -> None:
        for run in first(deck):
            run.font.underline = True

    gold("new-title", rename)
    gold("drop-slide", drop)
    gold(
        "speaker-note",
        lambda deck: setattr(deck.slides[0].notes_slide.notes_text_frame, "text", "Thank the council"),
    )
    gold("underline-title", underline)


def picture() -> None:
    """Paint a boat that sails to the right."""
    image = Image.new("RGB", (320, 240))
    pen = ImageDraw.Draw(image)
    for line in range(240):
        blue = 235 - line // 4
        pen.line(
            (0, line, 320, line),
            fill=(150 + line // 4, 190, blue) if line < 160 else (30, 80 + line // 4, 150),
        )
    pen.ellipse((30, 20, 80, 70), fill=(250, 220, 90))
    pen.polygon([(120, 150), (270, 150), (240, 180), (145, 180)], fill=(120, 60, 30))
    pen.polygon([(180, 40), (180, 145), (250, 145)], fill=(240, 240, 230))
    pen.polygon([(172, 60), (172, 145), (135, 145)], fill=(200, 60, 60))
    for wave in range(0, 320, 16):
        pen.arc((wave, 200, wave + 16, 210), 0, 180, fill=(200, 220, 240), width=2)
    image.save(place("gimp/shared/boat.png"))


def place(name: str) -> Path:
    """Return the path of a file, whose folder is made."""
    path = FILES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def own_form(file: Path, folder: Path) -> None:
    """Let LibreOffice read a document and write it again."""
    command = [
        "soffice",
        f"-env:UserInstallation=file://{folder}/profile",
        "--headless",
        "--convert-to",
        file.suffix[1:],
    ]
    subprocess.run([*command, "--outdir", str(folder), str(file)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    file.write_bytes((folder / file.name).read_bytes())


if __name__ == "__main__":
    sys.exit(main())
