"""Pictures that are small enough to be written as text."""

from __future__ import annotations


def picture(title: str) -> str:
    """Return a PDF of one page that shows a title above two axes."""
    drawing = f"BT /F1 12 Tf 40 130 Td ({title}) Tj ET 20 20 m 20 120 l S 20 20 m 180 20 l S"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 150] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    text, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    trailer = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    return f"{text}xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}"
