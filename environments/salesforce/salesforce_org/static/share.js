// With whom a list view is shared: groups of the chosen kind are found by typing, and stand below once they are chosen.
(() => {
  const root = (event) => event.target.closest?.("[data-share]");
  const box = (share) => share.querySelector("[data-share-box]");
  const shown = (share) => [...share.querySelectorAll("[data-share-with]")].filter((one) => !one.hidden);

  function open(share, on) {
    box(share).classList.toggle("slds-is-open", on);
    share.querySelector("[data-share-search]").setAttribute("aria-expanded", String(on));
  }

  function find(share) {
    const kind = share.querySelector("[data-share-kind]").value;
    const words = share.querySelector("[data-share-search]").value.trim().toLowerCase();
    const taken = new Set([...share.querySelectorAll("[aria-label='Shared With'] input")].map((one) => one.value));
    share.querySelectorAll("[data-share-with]").forEach((one) => {
      one.hidden = one.dataset.kind !== kind || taken.has(one.dataset.shareWith) || !one.textContent.toLowerCase().includes(words);
    });
    share.querySelector("[data-share-none]").hidden = shown(share).length > 0;
    point(share, shown(share)[0]);
    open(share, true);
  }

  function point(share, option) {
    share.querySelectorAll("[data-share-with]").forEach((one) => {
      one.setAttribute("aria-selected", String(one === option));
      one.classList.toggle("slds-has-focus", one === option);
    });
    option?.scrollIntoView({ block: "nearest" });
  }

  function take(share, option) {
    const made = share.querySelector("[data-share-template]").content.firstElementChild.cloneNode(true);
    const label = option.textContent.trim(), remove = made.querySelector("[data-share-remove]");
    made.querySelector("input").value = option.dataset.shareWith;
    made.querySelector("span span").textContent = option.dataset.kind;
    made.querySelector("b").textContent = label;
    remove.title = `Remove ${label}`;
    remove.setAttribute("aria-label", remove.title);
    share.querySelector("[aria-label='Shared With']").append(made);
    const field = share.querySelector("[data-share-search]");
    field.value = "";
    open(share, false);
    field.focus();
  }

  document.addEventListener("input", (event) => event.target.matches("[data-share-search]") && find(root(event)));
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-share-kind]")) return;
    const field = root(event).querySelector("[data-share-search]");
    field.value = "";
    field.placeholder = `Search ${event.target.value}...`;
    open(root(event), false);
  });
  document.addEventListener("click", (event) => {
    const share = root(event), option = event.target.closest("[data-share-with]");
    document.querySelectorAll("[data-share]").forEach((one) => !box(one).contains(event.target) && open(one, false));
    if (!share) return;
    if (option) return take(share, option);
    if (event.target.matches("[data-share-search]")) find(share);
    event.target.closest("[data-share-remove]")?.closest("li").remove();
  });
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches("[data-share-search]")) return;
    const share = root(event), all = shown(share), at = all.findIndex((one) => one.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isOpen = box(share).classList.contains("slds-is-open");
    if (step && !isOpen) find(share);
    else if (step && all.length) point(share, all[(at + step + all.length) % all.length]);
    else if (event.key === "Enter" && isOpen && all[at]) take(share, all[at]);
    else if (event.key === "Escape" && isOpen) open(share, false);
    else if (event.key !== "Enter" && !step) return;
    event.preventDefault();
  });
})();
