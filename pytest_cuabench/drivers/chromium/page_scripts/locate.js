// A selector engine of four parts of a selector, between which Playwright's own engines run:
//   screen=in    what they see of a page with a form some of whose controls hide its members (`<input name=children>`):
//                elements that have the browser's own members
//   screen=out   one element, of no document, whose text tells the boxes and texts of the visible ones of what was found
//   screen=real  the elements that were found
//   screen=inset of a frame's element: where its document lies within its box, and the width of the box
(() => {
  const MOST = 100;  // elements that are told
  const outer = new WeakMap(), inside = new WeakMap(), methods = new WeakMap();
  let told, count, rows;

  // The names of an element's own are those of a form's controls, which come before the members of its prototype.
  function hides(form) {
    for (let at = getPrototypeOf(form); at !== Object.prototype; at = getPrototypeOf(at)) {
      if (Object.getOwnPropertyNames(at).some((name) => Object.hasOwn(form, name))) return true;
    }
    return false;
  }
  const hidden = (root) => [...call(root, "querySelectorAll", "form")].some(hides)
    || [...call(root, "querySelectorAll", "*")].some((one) => shadow(one) && hidden(shadow(one)));

  const real = (one) => inside.get(one) ?? one;
  const guarded = [Node, Window, Range, TreeWalker, XPathResult];
  function guard(one) {
    if (Array.isArray(one) || one instanceof NodeList || one instanceof HTMLCollection) return [...one].map(guard);
    if (!guarded.some((kind) => one instanceof kind)) return one;
    if (!outer.has(one)) {
      outer.set(one, new Proxy(one, own));
      inside.set(outer.get(one), one);
    }
    return outer.get(one);
  }
  const own = {
    get(one, name) {
      const found = one instanceof Window ? null : member(one, name);
      const value = !found ? Reflect.get(one, name) : found.get ? found.get.call(one) : found.value;
      if (typeof value !== "function" || name === "constructor") return guard(value);
      if (!methods.has(value)) {
        methods.set(value, function (...given) { return guard(value.apply(real(this), given.map(real))); });
      }
      return methods.get(value);
    },
    set: (one, name, value) => Reflect.set(one, name, real(value)),
  };

  const text = (one) => /^(input|textarea|select)$/.test(get(one, "localName")) ? get(one, "value")
    : get(one, "innerText") ?? get(one, "textContent");
  function tell(one) {
    const shown = call(one, "checkVisibility", {visibilityProperty: true, contentVisibilityAuto: true});
    const {x, y, width, height} = call(one, "getBoundingClientRect");
    if (!shown || !width || !height) return;
    if (++count <= MOST) rows.push([x, y, width, height, text(one)]);
    Reflect.set(told, "textContent", JSON.stringify([count, rows]));
  }
  function inset(one) {
    const style = getComputedStyle(one), side = (name) => parseFloat(style[`padding${name}`]);
    return [get(one, "clientLeft") + side("Left"), get(one, "clientTop") + side("Top"),
      get(one, "clientWidth") - side("Left") - side("Right"), get(one, "clientHeight") - side("Top") - side("Bottom"),
      get(one, "offsetWidth")];
  }
  const carrier = () => call(document, "createElement", "data");
  function queryAll(root, part) {
    const one = real(root);
    if (part === "real") return [one];
    if (part === "in") {
      [told, count, rows] = [carrier(), 0, []];
      return [hidden(one) ? guard(one) : one];
    }
    if (part === "inset") {
      told = carrier();
      told.textContent = JSON.stringify(inset(one));
    } else tell(one);
    return [told];
  }
  return {queryAll};
})()
