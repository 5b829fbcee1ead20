// A page as a document: its title, text and HTML, and its size in pixels.
() => {
  const root = get(document, "documentElement"), body = get(document, "body"), kind = get(document, "doctype");
  return {
    title: get(document, "title"),
    text: get(call(document, "querySelector", "main, [role=main], article") ?? body, "innerText"),
    html: (kind ? new XMLSerializer().serializeToString(kind) : "") + get(root, "outerHTML"),
    width: get(root, "clientWidth"),
    height: get(root, "scrollHeight"),
  };
}
