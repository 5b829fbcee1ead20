// What is on the screen of a page that is too large for the browser's whole accessibility tree; null for other pages.
// Roles and names follow the HTML elements and their ARIA attributes.
({nodes: mostNodes, characters: mostCharacters, inline: mostInline, levels, rows: most, text: longest, visits, must}) => {
  const FRAME = 20;  // nodes that a frame counts as

  // Whether the browser can tell the whole tree in time: by nodes, depth, characters, and the elements of one paragraph.
  function ordinary() {
    const stack = [[document, 0, {count: 0}]];
    let nodes = 0, characters = 0;
    while (stack.length) {
      const [node, depth, paragraph] = stack.pop(), type = get(node, "nodeType");
      let owner = paragraph;
      if (type === 3 || type === 4) characters += get(node, "length");
      if (type === 1) {
        for (const one of get(node, "attributes")) characters += get(one, "value").length;
        const name = get(node, "localName"), {display} = getComputedStyle(node);
        if (name === "input" || name === "textarea") characters += get(node, "value").length;
        if (display !== "inline" && display !== "contents") owner = {count: 0};
        if (shadow(node)) stack.push([shadow(node), depth + 1, owner]);
        if (name === "iframe" && inner(node)) {
          nodes += FRAME;
          stack.push([inner(node), 0, {count: 0}]);
        }
      }
      if (++nodes > mostNodes || characters > mostCharacters || depth > levels || ++owner.count > mostInline) return false;
      const children = get(node, "childNodes");
      if (children.length > mostNodes) return false;
      for (const child of children) stack.push([child, depth + 1, owner]);
    }
    return true;
  }
  if (!must && ordinary()) return null;

  const INPUTS = {button: "button", submit: "button", reset: "button", image: "button", file: "button", checkbox: "checkbox",
    radio: "radio", range: "slider", number: "spinbutton", search: "searchbox", date: "Date", time: "InputTime",
    "datetime-local": "DateTime", color: "ColorWell", hidden: ""};
  const ROLES = {button: "button", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
    ul: "list", ol: "list", menu: "list", li: "listitem", table: "table", tr: "row", td: "cell", th: "columnheader",
    thead: "rowgroup", tbody: "rowgroup", tfoot: "rowgroup", nav: "navigation", main: "main", aside: "complementary",
    article: "article", dialog: "dialog", fieldset: "group", details: "Details", summary: "DisclosureTriangle",
    option: "option", optgroup: "group", textarea: "textbox", progress: "progressbar", meter: "meter", output: "status",
    caption: "caption", figure: "figure", hr: "separator", video: "Video", audio: "Audio", canvas: "Canvas",
    svg: "image", strong: "strong", em: "emphasis", mark: "mark", code: "code", time: "time"};
  const FROM_TEXT = new Set(["button", "link", "heading", "cell", "columnheader", "rowheader", "row", "option", "tab",
    "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "checkbox", "radio", "switch", "tooltip", "DisclosureTriangle"]);
  const ACTIVE = new Set(["button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider",
    "spinbutton", "tab", "option", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "listbox", "Date",
    "DateTime", "InputTime", "ColorWell", "DisclosureTriangle"]);
  const SILENT = /^(none|presentation|generic|)$/;
  const attribute = (one, name) => call(one, "getAttribute", name);
  const clean = (text) => (text || "").slice(0, longest + 1000).replace(/\s+/g, " ").trim();

  function role(one, name) {
    const given = attribute(one, "role")?.trim().split(/\s+/)[0].toLowerCase();
    if (given) return given === "img" ? "image" : given;
    if (name === "a" || name === "area") return call(one, "hasAttribute", "href") ? "link" : "";
    if (name === "img") return attribute(one, "alt") === "" ? "" : "image";
    if (name === "select") return get(one, "multiple") || get(one, "size") > 1 ? "listbox" : "combobox";
    if (name === "th" && attribute(one, "scope") === "row") return "rowheader";
    if (name !== "input") return ROLES[name] ?? (get(one, "isContentEditable") && call(one, "hasAttribute", "contenteditable") ? "textbox" : "");
    return INPUTS[get(one, "type")] ?? (get(one, "list") ? "combobox" : "textbox");
  }
  // The text below an element, read only as far as it is told.
  function text(root) {
    const walker = call(get(root, "ownerDocument"), "createTreeWalker", root, 4);
    let found = "";
    for (let one; found.length <= longest && (one = walker.nextNode());) found += call(one, "substringData", 0, longest) + " ";
    return found;
  }
  function label(one, role) {
    const named = attribute(one, "aria-labelledby");
    if (named) {
      const root = call(one, "getRootNode");
      const found = named.trim().split(/\s+/).slice(0, 10).map((id) => call(root, "getElementById", id)).filter(Boolean);
      if (found.length) return clean(found.map(text).join(" "));
    }
    const labels = get(one, "labels");
    return clean(attribute(one, "aria-label")) || clean(labels?.length ? [...labels].slice(0, 10).map(text).join(" ") : "")
      || clean(attribute(one, "alt")) || (get(one, "localName") === "input" && role === "button" ? clean(get(one, "value")) : "")
      || (FROM_TEXT.has(role) ? clean(text(one)) : "") || clean(attribute(one, "title")) || clean(attribute(one, "placeholder"));
  }
  function value(one, name) {
    if (secret(one)) return "";
    if (name === "select") return clean(get(get(one, "selectedOptions")[0] ?? one, "label"));
    const button = /^(button|submit|reset|image|checkbox|radio|file)$/.test(get(one, "type"));
    return (name === "input" && !button) || name === "textarea" ? clean(get(one, "value")) : "";
  }
  function states(one, focused) {
    const found = ["disabled", "required"].filter((name) => get(one, name) === true || attribute(one, `aria-${name}`) === "true");
    if (focused) found.splice(found.indexOf("disabled") + 1, 0, "focused");
    if (get(one, "readOnly") === true) found.push("readonly");
    if (attribute(one, "aria-selected") === "true" || get(one, "selected") === true) found.push("selected");
    const box = /^(checkbox|radio)$/.test(get(one, "type")) ? String(get(one, "checked")) : attribute(one, "aria-checked");
    if (box) found.push({true: "checked", mixed: "mixed"}[box] ?? "not checked");
    const open = attribute(one, "aria-expanded");
    if (open) found.push(open === "true" ? "expanded" : "collapsed");
    return found;
  }

  const overlap = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  const area = (edges) => edges[2] - edges[0] >= 1 && edges[3] - edges[1] >= 1;
  const view = [0, 0, innerWidth, innerHeight];
  const found = [];
  let count = 0, visited = 0, whole = true;
  const add = (row) => { if (++count <= most) found.push(row); };
  const stack = [{node: document, clip: view, place: {left: 0, top: 0, scale: 1}, depth: 0, above: "", pointer: false}];
  while (stack.length) {
    if (++visited > visits) {
      whole = false;
      break;
    }
    const {node, clip, place, depth, above, pointer} = stack.pop();
    const placed = (box) => [place.left + box.x * place.scale, place.top + box.y * place.scale,
      box.width * place.scale, box.height * place.scale];
    const edges = ([x, y, width, height]) => [x, y, x + width, y + height];
    const type = get(node, "nodeType"), given = {place, clip, depth, above, pointer};
    let children = get(node, "childNodes");
    if (type === 3) {
      const words = clean(call(node, "substringData", 0, longest + 1000));
      if (!words || above.includes(words)) continue;
      const range = call(get(node, "ownerDocument"), "createRange");
      range.selectNodeContents(node);
      const box = placed(range.getBoundingClientRect());
      if (area(overlap(edges(box), clip))) add([depth, "text", words, "", [], box, false]);
      continue;
    }
    if (type === 1) {
      const name = get(node, "localName");
      if (/^(script|style|noscript|template|head)$/.test(name) || attribute(node, "aria-hidden") === "true") continue;
      const raw = call(node, "getBoundingClientRect"), box = placed(raw);
      if (!area(overlap(edges(box), view)) && holds(node, raw)) continue;
      const style = getComputedStyle(node);
      if (style.display === "none") continue;
      if (style.position === "fixed") given.clip = view;
      const seen = overlap(edges(box), given.clip), shown = area(seen) && style.visibility === "visible";
      const clipping = style.overflowX !== "visible" || style.overflowY !== "visible";
      const root = /^(html|body)$/.test(name);
      if (style.display !== "contents" && !area(seen) && !root && (clipping || holds(node, raw))) continue;
      if (clipping && !root) given.clip = seen;
      const kind = role(node, name), hand = style.cursor === "pointer";
      const active = name !== "iframe" && (ACTIVE.has(kind) || get(node, "tabIndex") >= 0 || call(node, "hasAttribute", "onclick") || (hand && !pointer));
      if (shown && (!SILENT.test(kind) || active) && !root) {
        const words = label(node, kind), focused = call(node, "matches", ":focus");
        if (!SILENT.test(kind)) given.depth = depth + 1;
        add([depth, SILENT.test(kind) ? "" : kind, words || (SILENT.test(kind) ? clean(text(node)).slice(0, 80) : ""), value(node, name),
          states(node, focused), box, active]);
        if (!SILENT.test(kind)) given.above = words || above;
      }
      given.pointer = hand;
      const control = get(node, "control");
      if (control && /^(checkbox|radio)$/.test(get(control, "type"))) given.above = clean(text(node));  // its name says it
      if (name === "textarea" || name === "select" && kind === "combobox") continue;
      if (shadow(node)) children = get(shadow(node), "childNodes");
      const assigned = name === "slot" ? call(node, "assignedNodes") : [];
      if (assigned.length) children = assigned;
      if (name === "iframe") {
        children = inner(node) ? [inner(node)] : [];
        const width = get(node, "offsetWidth"), scale = width ? box[2] / width : place.scale;
        given.clip = seen;
        given.place = {scale, left: box[0] + (get(node, "clientLeft") + parseFloat(style.paddingLeft)) * scale,
          top: box[1] + (get(node, "clientTop") + parseFloat(style.paddingTop)) * scale};
      }
    } else if (type !== 9 && type !== 11) continue;
    const [from, to] = nearScreen(children, place.top, place.scale);
    whole &&= to - from === children.length;
    for (let index = to - 1; index >= from; index--) stack.push({...given, node: children[index]});
  }
  return {found, count, whole};
}
