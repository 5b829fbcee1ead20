// The page as indented text: what is visible, with the labels and values of its fields. No passwords.
// Of a page with more than `most` lines: what is on the screen, then what follows it, then what stands before it.
({visits, most, characters, longest}) => {
  const BLOCK = /^(block|flex|grid|list-item|table|table-row|flow-root|table-row-group)$/;
  const DEEPEST = 40;
  const clean = (text) => (text || "").slice(0, 2 * longest).replace(/\s+/g, " ").trim();
  let clipped = false;
  const short = (text) => {
    if (text.length <= longest + 1000) return text;
    clipped = true;
    return `${text.slice(0, longest)}... (cut)`;
  };
  const label = (field) => clean(
    call(field, "getAttribute", "aria-label") || [...(get(field, "labels") || [])].map((one) => get(one, "innerText")).join(" ")
    || get(field, "placeholder") || get(field, "name"));
  function value(field) {
    if (get(field, "localName") === "select") return [...get(field, "selectedOptions")].map((one) => get(one, "label")).join(", ");
    if (secret(field)) return get(field, "value") ? "(hidden)" : "";
    return get(field, "value");
  }
  function describe(field) {
    const type = get(field, "type");
    if (/^(checkbox|radio)$/.test(type)) return `[${get(field, "checked") ? "x" : " "}] ${label(field)}`;
    if (/^(button|submit|reset)$/.test(type)) return `[button] ${clean(get(field, "value") || get(field, "innerText"))}`;
    return `[${get(field, "localName") === "select" ? "select" : "field"}] ${label(field)}: ${clean(value(field))}`
      + (get(field, "disabled") ? " (disabled)" : "");
  }
  function measured(element) {
    if (get(element, "localName") === "option" || !call(element, "checkVisibility", {visibilityProperty: true})) return null;
    const box = call(element, "getBoundingClientRect"), {display} = getComputedStyle(element);
    return display === "contents" || box.width > 1 || box.height > 1 ? {box, display} : null;
  }
  // What each node has below it that is shown.
  function below(node, name) {
    if (name === "slot") {
      const assigned = call(node, "assignedNodes");
      if (assigned.length) return assigned;
    }
    if (name === "iframe") return inner(node) ? [get(inner(node), "body")] : [];
    return get(shadow(node) || node, "childNodes");
  }

  // `far` leaves out what is not on the screen.
  function walk(far) {
    const lines = [], stack = [{node: get(document, "body"), depth: 0, top: 0, root: true}];
    let line = "", seen = false, visited = 0;
    const add = (text, depth, on) => {
      if (text) lines.push([short("  ".repeat(Math.min(depth, DEEPEST)) + text), on]);
    };
    const flush = (depth) => {
      add(clean(line), depth, seen);
      line = "";
      seen = false;
    };
    while (stack.length) {
      const {node, depth, top, on, end, root} = stack.pop();
      if (end) { flush(depth); continue; }
      if (!node) continue;
      if (++visited > visits) break;
      const type = get(node, "nodeType");
      if (type === 3) {
        if (line.length > longest) flush(depth);
        clipped ||= get(node, "length") > longest;
        line += call(node, "substringData", 0, longest);
        seen ||= on;
      }
      if (type !== 1) continue;
      const found = measured(node);
      if (!found) continue;
      const {box, display} = found, name = get(node, "localName");
      if (/^(script|style|noscript|template|svg|canvas|head)$/.test(name)) continue;
      const shown = display === "contents" ? on : box.bottom + top > 0 && box.top + top < innerHeight;
      if (/^(input|select|textarea|button)$/.test(name)) {
        flush(depth);
        if (get(node, "type") !== "hidden") add(describe(node), depth, shown);
        continue;
      }
      if (far && !shown && !root && holds(node, box)) continue;
      const block = BLOCK.test(display);
      if (block) flush(depth);
      if (/^h[1-6]$/.test(name)) line += "#".repeat(+name[1]) + " ";
      if (name === "a") line += "[link] ";
      if (name === "img" && get(node, "alt")) line += `[image] ${get(node, "alt")} `;
      if (name === "td" || name === "th") line += " | ";
      const deeper = block && !root ? depth + (/^(form|ul|ol|table|section|fieldset|dialog|nav)$/.test(name) ? 1 : 0) : depth;
      if (block || name === "br") stack.push({depth: deeper, end: true});
      const children = below(node, name), origin = name === "iframe" ? top + box.top : top;
      if (!far && visited + stack.length + children.length > visits) return null;
      const [from, to] = far ? nearScreen(children, origin) : [0, children.length];
      for (let index = to - 1; index >= from; index--) {
        stack.push({node: children[index], depth: deeper, top: origin, on: shown});
      }
    }
    flush(0);
    return lines;
  }

  const whole = walk(false), lines = whole ?? walk(true), kept = new Set();
  let length = 0;
  const keep = (index) => {
    if (kept.size >= most || length + lines[index][0].length > characters) return false;
    length += lines[index][0].length + 1;
    kept.add(index);
    return true;
  };
  const shown = lines.flatMap(([, on], index) => on ? [index] : []), last = shown.at(-1) ?? -1;
  shown.every(keep);
  for (let index = last + 1; index < lines.length && keep(index); index++);
  for (let index = last - 1; index >= 0; index--) if (!kept.has(index) && !keep(index)) break;
  const text = [];
  let left = 0;
  const gap = () => {
    if (left) text.push(`... (${left} lines left out)`);
    left = 0;
  };
  lines.forEach(([one], index) => {
    if (!kept.has(index)) return left++;
    gap();
    text.push(one);
  });
  gap();
  const rest = whole ? `of ${lines.length} lines of the page` : "lines of what is on the screen of this very large page";
  const cut = [];
  if (kept.size < lines.length || !whole) cut.push(`Only ${kept.size} ${rest} are told, those on the screen first; scroll to see others.`);
  if (clipped) cut.push(`Texts of more than ${longest} characters are cut.`);
  return {text: text.join("\n"), cut: cut.join(" ")};
}
