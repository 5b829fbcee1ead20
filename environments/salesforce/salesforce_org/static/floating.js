// Lists of picklists and lookups in a dialog float above it: its content scrolls, and would cut them off.
(() => {
  const GAP = 2;

  function place(box) {
    const list = box.querySelector(".slds-dropdown");
    list.removeAttribute("style");
    if (!box.closest(".slds-modal__content")) return;
    const field = box.getBoundingClientRect();
    Object.assign(list.style, { position: "fixed", left: "0", top: "0", right: "auto", bottom: "auto", margin: "0", transform: "none", width: `${field.width}px`, maxWidth: "none" });
    const origin = list.getBoundingClientRect();
    const upwards = field.bottom + GAP + origin.height > innerHeight && field.top > origin.height + GAP;
    const top = upwards ? field.top - GAP - origin.height : field.bottom + GAP;
    list.style.left = `${field.left - origin.left}px`;
    list.style.top = `${top - origin.top}px`;
  }

  const follow = () => document.querySelectorAll(".slds-modal__content .slds-combobox.slds-is-open").forEach(place);
  document.addEventListener("list-open", (event) => place(event.target));
  document.addEventListener("scroll", (event) => event.target.matches?.(".slds-modal__content") && follow(), true);
  addEventListener("resize", follow);
})();
