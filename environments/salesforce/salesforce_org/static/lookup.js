// Searches for a record: type, choose among what the server finds, or open "Show more results" and "New".
// The global search box with its suggestions works the same way, but its options are links.
(() => {
  let running = null, answered = Promise.resolve(), waiting = false;

  const parts = (root) => ({
    root,
    box: root.querySelector(".slds-combobox"),
    input: root.querySelector("input[role=combobox]"),
    value: root.querySelector("input[type=hidden]"),
    list: root.querySelector("[role=listbox]"),
    clear: root.querySelector("[data-lookup-clear]"),
    glass: root.querySelector("[data-lookup-glass]"),
  });
  const of = (element) => {
    const root = element.closest("[data-lookup], [data-global-search]");
    return root && parts(root);
  };
  const isLookup = (p) => p.root.hasAttribute("data-lookup");
  const options = (p) => [...p.list.querySelectorAll("[role=option]")];

  function hide(p) {
    p.box.classList.remove("slds-is-open");
    p.input.setAttribute("aria-expanded", "false");
    p.input.removeAttribute("aria-activedescendant");
  }

  function address(p) {
    const query = new URLSearchParams({ q: p.input.value.trim() });
    if (!isLookup(p)) return `${p.root.querySelector("[data-suggest]").dataset.suggest}?${query}`;
    query.set("object", p.root.dataset.object);
    query.set("id", p.input.id);
    for (const name of ["within", "field"]) if (p.root.dataset[name]) query.set(name, p.root.dataset[name]);
    return `${p.root.dataset.source}?${query}`;
  }

  // Keys that are pressed while the server is still asked wait for its answer.
  function ask(p) {
    waiting = true;
    const mine = (answered = fetchOptions(p).finally(() => { if (answered === mine) waiting = false; }));
    return mine;
  }

  async function fetchOptions(p) {
    if (running) running.abort();
    running = new AbortController();
    let text;
    try {
      const answer = await fetch(address(p), { headers: { "HX-Request": "true", "HX-Target": "list" }, signal: running.signal });
      if (!answer.ok) return;
      text = await answer.text();
    } catch (problem) {
      if (problem.name === "AbortError") return;
      throw problem;
    }
    if (document.activeElement !== p.input) return;
    p.list.innerHTML = text;
    htmx.process(p.list);
    p.box.classList.add("slds-is-open");
    p.input.setAttribute("aria-expanded", "true");
    p.box.dispatchEvent(new Event("list-open", { bubbles: true }));
    point(p, null);
  }

  function point(p, option) {
    options(p).forEach((one) => one.classList.toggle("slds-has-focus", one === option));
    if (option) { p.input.setAttribute("aria-activedescendant", option.id); option.scrollIntoView({ block: "nearest" }); }
    else p.input.removeAttribute("aria-activedescendant");
  }

  function set(p, id, name) {
    p.value.value = id;
    p.input.value = name;
    p.input.readOnly = id !== "";
    p.input.classList.toggle("slds-combobox__input-value", id !== "");
    p.root.classList.toggle("slds-has-selection", id !== "");
    p.clear.hidden = id === "";
    p.glass.hidden = id !== "";
    p.value.dispatchEvent(new Event("change", { bubbles: true }));
    p.root.closest(".slds-form-element.slds-has-error")?.classList.remove("slds-has-error");
  }

  function take(p, option) {
    if (option.dataset.action) {
      window.orgLookup = p;
      hide(p);
      htmx.ajax("GET", option.dataset.action.replace("{q}", encodeURIComponent(p.input.value.trim())), { target: "#modals", swap: "beforeend" });
    } else if (option.dataset.href) location.assign(option.dataset.href);
    else { set(p, option.dataset.value, option.dataset.text); hide(p); p.input.focus(); }
  }

  function begin(event) {
    const p = event.target.matches("input[role=combobox]") && of(event.target);
    if (p && !p.input.readOnly) ask(p);
  }
  document.addEventListener("input", begin);
  document.addEventListener("click", (event) => {
    document.querySelectorAll("[data-lookup] .slds-is-open, [data-global-search] .slds-is-open").forEach((box) => {
      const p = of(box);
      if (!p.root.contains(event.target)) hide(p);
    });
    const p = of(event.target);
    if (!p) return;
    const option = event.target.closest("[role=option]");
    if (option) { event.preventDefault(); take(p, option); }
    else if (event.target.closest("[data-lookup-clear]")) { set(p, "", ""); p.input.focus(); begin({ target: p.input, type: "click" }); }
    else if (event.target === p.input) begin(event);
  });

  document.addEventListener("keydown", async (event) => {
    const p = event.target.matches("input[role=combobox]") && of(event.target);
    if (!p) return;
    if (waiting && ["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) {
      event.preventDefault();
      await answered;
      if (event.key === "Enter" && !isLookup(p) && !options(p).some((one) => one.classList.contains("slds-has-focus"))) return p.root.requestSubmit();
    }
    const shown = p.box.classList.contains("slds-is-open");
    const all = options(p);
    const at = all.findIndex((one) => one.classList.contains("slds-has-focus"));
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!shown) return p.input.readOnly ? undefined : ask(p);
      const step = event.key === "ArrowDown" ? 1 : -1;
      return point(p, all[at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length]);
    }
    if (event.key === "Enter" && shown && at >= 0) { event.preventDefault(); return take(p, all[at]); }
    if (event.key === "Enter" && isLookup(p)) return event.preventDefault();
    if (event.key === "Escape" && shown) { event.preventDefault(); event.stopPropagation(); return hide(p); }
    if (event.key === "Tab") hide(p);
    if ((event.key === "Backspace" || event.key === "Delete") && p.input.readOnly) { event.preventDefault(); set(p, "", ""); }
  });

  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-lookup-object]")) return;
    const p = parts(event.target.closest(".slds-combobox-group").querySelector("[data-lookup]"));
    p.root.dataset.object = event.target.value;
    set(p, "", "");
  });

  // A record that was made, or chosen in "Show more results", for the search that asked.
  document.addEventListener("lookup-chosen", (event) => {
    const p = window.orgLookup;
    window.orgModals.close(window.orgModals.top());
    if (p && p.root.isConnected) { set(p, event.detail.id, event.detail.name); p.input.focus(); }
  });
  document.addEventListener("click", (event) => {
    const row = event.target.closest("[data-choose]");
    if (!row) return;
    event.preventDefault();
    document.dispatchEvent(new CustomEvent("lookup-chosen", { detail: { id: row.dataset.choose, name: row.dataset.text } }));
  });
})();
