// Parts of a page that are drawn anew while somebody works in them keep their elements: only what differs is changed, so
// that focus, open menus and a click that has begun survive, and so does what was chosen or typed while the new part was
// on its way: the page has that from the next request. A part asks for it by hx-swap="morph".
(() => {
  const sent = new WeakMap(); // by part: when its request was sent
  const changed = new WeakMap(); // by control: when somebody changed it
  const note = ({ target }) => {
    const group = target.type === "radio" ? document.getElementsByName(target.name) : [target];
    for (const control of group) changed.set(control, performance.now());
  };
  for (const kind of ["input", "change"]) document.addEventListener(kind, note, true);

  const isOpen = (name, node) => node.closest("[data-menu].slds-is-open") &&
    ((name === "class" && node.matches("[data-menu]")) || (name === "aria-expanded" && node.matches("[data-menu-button]")));
  const isNewer = (name, node, part) => ["checked", "selected", "value"].includes(name) &&
    changed.get(node.closest("select") ?? node) > sent.get(part);

  htmx.defineExtension("morph", {
    onEvent(name, { detail }) {
      if (name === "htmx:beforeSend") sent.set(detail.target, performance.now());
    },
    handleSwap(style, target, fragment) {
      if (style !== "morph") return false;
      return Idiomorph.morph(target, fragment.childNodes, {
        morphStyle: "innerHTML",
        ignoreActiveValue: document.activeElement.matches("input, textarea"), // of others it would keep what is inside
        callbacks: { beforeAttributeUpdated: (name, node) => !isOpen(name, node) && !isNewer(name, node, target) },
      });
    },
  });
})();
