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
