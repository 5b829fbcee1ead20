// The focused element, through frames and open shadow roots, and all targets on the path of its events: elements, shadow
// roots, document, window; last a function of this script, which identifies its own listeners.
(() => {
  const LINES = /^(text|search|url|tel|email|password)$/;
  let one = document.activeElement;
  for (let next = one; next; ) {
    one = next;
    try {
      next = one.shadowRoot?.activeElement ?? one.contentDocument?.activeElement;
    } catch (foreign) { next = null; }
  }
  if (!one) return [""];
  const locked = one.disabled || one.readOnly;
  let kind = "";
  if (one.localName === "textarea" && !locked) kind = "area";
  else if (one.localName === "input" && LINES.test(one.type) && !locked) kind = "line";
  else if (one.isContentEditable) kind = "rich";
  const path = [];
  for (let node = one; node; node = node.assignedSlot || node.parentNode || node.host) path.push(node);
  const view = one.ownerDocument.defaultView;
  const found = {};
  view?.dispatchEvent(new CustomEvent("SECRET", {detail: found}));
  return [kind, ...path, view, found.own?.rested];
})()
