// The focused element, through frames and open shadow roots, and all targets on the path of its events: elements, shadow
// roots, and last the document.
() => {
  const LINES = /^(text|search|url|tel|email|password)$/;
  let one = get(document, "activeElement");
  for (let next = one; next; ) {
    one = next;
    const root = shadow(one) ?? inner(one);
    next = root && get(root, "activeElement");
  }
  if (!one) return [""];
  const name = get(one, "localName"), locked = get(one, "disabled") || get(one, "readOnly");
  let kind = "";
  if (name === "textarea" && !locked) kind = "area";
  else if (name === "input" && LINES.test(get(one, "type")) && !locked) kind = "line";
  else if (get(one, "isContentEditable")) kind = "rich";
  const path = [];
  for (let node = one; node; node = get(node, "assignedSlot") || get(node, "parentNode") || get(node, "host")) path.push(node);
  return [kind, ...path];
}
