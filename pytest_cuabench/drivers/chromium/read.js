// The page as indented text: what is visible, with the labels and values of its fields. No passwords.
(() => {
  const lines = [];
  const BLOCK = /^(block|flex|grid|list-item|table|table-row|flow-root|table-row-group)$/;
  const clean = (text) => (text || "").replace(/\s+/g, " ").trim();
  const secret = (field) => field.type === "password" || /password/.test(field.autocomplete || "");
  const label = (field) => clean(
    field.getAttribute("aria-label") || [...(field.labels || [])].map((one) => one.innerText).join(" ")
    || field.placeholder || field.name);
  function value(field) {
    if (field.localName === "select") return [...field.selectedOptions].map((one) => one.label).join(", ");
    if (secret(field)) return field.value ? "(hidden)" : "";
    return field.value;
  }
  function describe(field) {
    if (/^(checkbox|radio)$/.test(field.type)) return `[${field.checked ? "x" : " "}] ${label(field)}`;
    if (/^(button|submit|reset)$/.test(field.type)) return `[button] ${clean(field.value || field.innerText)}`;
    return `[${field.localName === "select" ? "select" : "field"}] ${label(field)}: ${clean(value(field))}`
      + (field.disabled ? " (disabled)" : "");
  }
  const visible = (element) => {
    if (element.localName === "option" || !element.checkVisibility({visibilityProperty: true})) return false;
    const box = element.getBoundingClientRect();
    return getComputedStyle(element).display === "contents" || box.width > 1 || box.height > 1;
  };
  let line = "";
  const flush = (depth) => {
    if (clean(line)) lines.push("  ".repeat(depth) + clean(line));
    line = "";
  };
  function walk(node, depth) {
    if (node.nodeType === Node.TEXT_NODE) line += node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || !visible(node)) return;
    const name = node.localName;
    if (/^(script|style|noscript|template|svg|canvas|head)$/.test(name)) return;
    if (/^(input|select|textarea|button)$/.test(name)) {
      flush(depth);
      if (node.type !== "hidden") lines.push("  ".repeat(depth) + describe(node));
      return;
    }
    const block = BLOCK.test(getComputedStyle(node).display);
    if (block) flush(depth);
    if (/^h[1-6]$/.test(name)) line += "#".repeat(+name[1]) + " ";
    if (name === "a") line += "[link] ";
    if (name === "img" && node.alt) line += `[image] ${node.alt} `;
    if (name === "td" || name === "th") line += " | ";
    const inner = block && node !== document.body ? depth + (/^(form|ul|ol|table|section|fieldset|dialog|nav)$/.test(name) ? 1 : 0) : depth;
    let children = (node.shadowRoot || node).childNodes;
    if (name === "slot" && node.assignedNodes().length) children = node.assignedNodes();
    if (name === "iframe") {
      try { children = [node.contentDocument.body]; } catch (foreign) { children = []; }
    }
    for (const child of children) if (child) walk(child, inner);
    if (block || name === "br") flush(inner);
  }
  walk(document.body, 0);
  flush(0);
  return lines.join("\n");
})()
