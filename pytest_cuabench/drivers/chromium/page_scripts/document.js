// A page as a document: its title, the text of its own that is shown, its HTML, and its size in pixels.
() => {
  const root = get(document, "documentElement"), body = get(document, "body"), kind = get(document, "doctype");
  const ROLES = ["navigation", "banner", "contentinfo", "complementary", "search"].map((role) => `[role=${role}]`);
  const CLASSES = [
    "header", "nav", "navbar", "navheader", "navfooter", "breadcrumb", "breadcrumbs", "sidebar", "footer",
  ];
  const AROUND = `nav, footer, aside, header, [aria-hidden=true], ${ROLES}`;
  const NAMED = `[class*=navi i], ${CLASSES.map((name) => `.${name}`)}`;
  const all = (within, selector) => [...call(within, "querySelectorAll", selector)];
  // `innerText` of what is hidden is all of its text.
  const shown = (element) => call(element, "checkVisibility") || getComputedStyle(element).display === "contents"
    ? get(element, "innerText") ?? "" : "";
  const long = (element) => shown(element).length;
  // What is around each page; a class may also be that of a page's frame, which holds most of what is shown.
  const around = (own) => new Set([
    ...all(own, AROUND), ...all(own, NAMED).filter((one) => long(one) <= long(own) / 2),
  ]);
  function own() {
    const [most] = all(body, "main, [role=main], article").sort((one, other) => long(other) - long(one));
    return most && long(most) >= text(body, around(body)).length / 2 ? most : body;
  }
  function text(node, without) {
    if (without.has(node)) return "";
    if (get(node, "nodeType") === 3) return get(node, "nodeValue").replace(/\s+/g, " ").trim();
    if (get(node, "nodeType") !== 1) return "";
    if (![...without].some((one) => call(node, "contains", one))) return shown(node).trim();
    return [...get(node, "childNodes")].map((child) => text(child, without)).filter(Boolean).join("\n");
  }
  const page = body && own();
  return {
    title: get(document, "title"),
    text: page ? text(page, around(page)) || shown(page) : "",
    html: (kind ? new XMLSerializer().serializeToString(kind) : "") + get(root, "outerHTML"),
    width: get(root, "clientWidth"),
    height: get(root, "scrollHeight"),
  };
}
