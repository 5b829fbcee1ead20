// A page as a document: its title, the text of its own that is shown, its HTML, and its size in pixels.
() => {
  const root = get(document, "documentElement"), body = get(document, "body"), kind = get(document, "doctype");
  const AROUND = `nav, footer, aside, header, [hidden], [aria-hidden=true], ${[
    "navigation", "banner", "contentinfo", "complementary", "search",
  ].map((role) => `[role=${role}]`)}, ${[
    "nav", "navbar", "navheader", "navfooter", "navigation", "navigationbar", "breadcrumb", "breadcrumbs", "sidebar", "footer",
  ].map((name) => `.${name}`)}`;
  const all = (within, selector) => call(within, "querySelectorAll", selector);
  const shown = (element) => get(element, "innerText") ?? "";
  const long = (element) => shown(element).length;
  // What is around each page, unless it holds most of what the page shows.
  const around = (own) => new Set([...all(own, AROUND)].filter((one) => long(one) <= long(own) / 2));
  function own() {
    const [most] = [...all(body, "main, [role=main], article")].sort((one, other) => long(other) - long(one));
    const left = long(body) - [...around(body)].reduce((sum, one) => sum + long(one), 0);
    return most && long(most) >= left / 2 ? most : body;
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
    text: page ? text(page, around(page)) : "",
    html: (kind ? new XMLSerializer().serializeToString(kind) : "") + get(root, "outerHTML"),
    width: get(root, "clientWidth"),
    height: get(root, "scrollHeight"),
  };
}
