// Parts of a page that are drawn anew while somebody works in them keep their elements: only what differs is changed, so
// that focus, open menus and a click that has begun survive. A part asks for it by hx-swap="morph".
htmx.defineExtension("morph", {
  handleSwap(style, target, fragment) {
    if (style !== "morph") return false;
    const shown = (name, node) => node.closest("[data-menu].slds-is-open") &&
      ((name === "class" && node.matches("[data-menu]")) || (name === "aria-expanded" && node.matches("[data-menu-button]")));
    return Idiomorph.morph(target, fragment.childNodes, {
      morphStyle: "innerHTML",
      ignoreActiveValue: document.activeElement.matches("input, textarea"), // of others it would keep what is inside
      callbacks: { beforeAttributeUpdated: (name, node) => !shown(name, node) },
    });
  },
});
