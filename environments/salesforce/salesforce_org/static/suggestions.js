// Text fields with suggestions ([data-suggestions]): what is typed counts, and narrows the list below the field down.
(() => {
  const STEP = 15, DAY = 24 * 60;
  let numbers = 0;

  const parts = (root) => ({
    box: root.querySelector(".slds-combobox"),
    input: root.querySelector("input"),
    list: root.querySelector("[role=listbox]"),
    all: [...root.querySelectorAll("[role=option]")],
  });
  const of = (element) => element.closest("[data-suggestions]");
  const offered = (p) => p.all.filter((one) => !one.hidden);
  const pointed = (p) => offered(p).find((one) => one.classList.contains("slds-has-focus"));

  // The times of a day are listed when they are first asked for.
  function fill(root) {
    if (root.dataset.suggestions !== "times" || root.querySelector("[role=option]")) return;
    const list = root.querySelector(".slds-listbox");
    for (let minute = 0; minute < DAY; minute += STEP) {
      const hour = Math.floor(minute / 60);
      const option = document.createElement("div");
      option.className = "slds-listbox__item slds-listbox__option slds-listbox__option_plain slds-media slds-media_small";
      option.setAttribute("role", "option");
      option.id = `time-${numbers++}`;
      option.textContent = option.dataset.value = `${(hour + 11) % 12 + 1}:${String(minute % 60).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
      list.append(option);
    }
  }

  function show(p, wanted) {
    const shown = wanted && offered(p).length > 0;
    p.box.classList.toggle("slds-is-open", shown);
    p.input.setAttribute("aria-expanded", String(shown));
    if (shown) p.box.dispatchEvent(new Event("list-open", { bubbles: true }));
    else point(p, null);
  }

  function point(p, option) {
    p.all.forEach((one) => one.classList.toggle("slds-has-focus", one === option));
    if (!option) return p.input.removeAttribute("aria-activedescendant");
    p.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  // All suggestions while nothing was typed since the list was opened, then those that begin with the text.
  function open(root, words = "") {
    fill(root);
    const p = parts(root);
    p.all.forEach((one) => (one.hidden = !one.dataset.value.toLowerCase().startsWith(words.trim().toLowerCase())));
    show(p, true);
    const now = p.all.find((one) => one.dataset.value === p.input.value);
    if (now && !words) point(p, now);
  }

  function take(p, option) {
    p.input.value = option.dataset.value;
    p.input.dispatchEvent(new Event("change", { bubbles: true }));
    show(p, false);
    p.input.focus();
  }

  document.addEventListener("input", ({ target }) => of(target) && open(of(target), target.value));
  document.addEventListener("click", ({ target }) => {
    const root = of(target);
    document.querySelectorAll("[data-suggestions] .slds-is-open").forEach((box) => of(box) !== root && show(parts(of(box)), false));
    if (!root) return;
    const option = target.closest("[role=option]");
    if (option) take(parts(root), option);
    else if (!target.closest("[role=listbox]")) { open(root); parts(root).input.focus(); }
  });
  document.addEventListener("keydown", (event) => {
    const root = of(event.target);
    if (!root) return;
    const p = parts(root);
    const shown = p.box.classList.contains("slds-is-open");
    if (event.key === "Tab") return show(p, false);
    if (event.key === "Escape" && shown) { event.preventDefault(); event.stopPropagation(); return show(p, false); }
    if (event.key === "Enter" && shown && pointed(p)) { event.preventDefault(); return take(p, pointed(p)); }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    if (!shown) return open(root);
    const all = offered(p), at = all.indexOf(pointed(p)), step = event.key === "ArrowDown" ? 1 : -1;
    point(p, all[at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length]);
  });
})();
