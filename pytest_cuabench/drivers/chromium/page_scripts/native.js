// The browser's own members of an object, which no name of an element or form hides (`<input name=childNodes>`).
const {getPrototypeOf, getOwnPropertyDescriptor} = Object;
const members = new Map();  // by prototype and name
const member = (one, name) => {
  const first = getPrototypeOf(one);
  if (!members.has(first)) members.set(first, new Map());
  const known = members.get(first);
  if (!known.has(name)) {
    let found;
    for (let at = first; at && !found; at = getPrototypeOf(at)) found = getOwnPropertyDescriptor(at, name);
    known.set(name, found);
  }
  return known.get(name);
};
const get = (one, name) => member(one, name)?.get?.call(one);
const call = (one, name, ...given) => member(one, name).value.apply(one, given);
const shadow = (one) => get(one, "shadowRoot");
const inner = (frame) => {
  try { return get(frame, "contentDocument") ?? null; } catch (foreign) { return null; }  // null where it is foreign
};
// Whether all that an element shows lies within its box.
const holds = (one, box) => box.width > 0 && box.height > 0 && get(one, "scrollHeight") <= get(one, "clientHeight") + 1
  && get(one, "scrollWidth") <= get(one, "clientWidth") + 1;
const secret = (field) => get(field, "type") === "password" || /password/.test(get(field, "autocomplete") || "");
// Where the children begin and end that are read of a node with a great many: those about the screen, if they stand one
// below the other. `top` is where their document begins on the screen, and `scale` how large it is shown.
const MANY = 10_000, MARGIN = 200;
function nearScreen(nodes, top, scale = 1) {
  const {length} = nodes;
  if (length <= MANY) return [0, length];
  // The first from which on all are beyond a height: their upper or lower edges are.
  function first(edge, height) {
    let low = 0, high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      let box = null;
      for (let at = middle; at < Math.min(length, middle + MARGIN) && !box; at++) {
        const one = nodes[at], found = get(one, "nodeType") === 1 && call(one, "getBoundingClientRect");
        if (found && (found.width || found.height)) box = found;
      }
      if (box && box[edge] * scale + top > height) high = middle;
      else low = middle + 1;
    }
    return low;
  }
  return [Math.max(0, first("bottom", 0) - MARGIN), Math.min(length, first("top", innerHeight) + MARGIN)];
}
