// Shows the list of a drop-down inside the page, because a headless browser paints no popup of its own.
(() => {
  const KEY = Symbol.for("screen.select");
  if (window[KEY]) return;
  Object.defineProperty(window, KEY, {value: true});
  const ROW = 24, MOST = 12;
  let open = null;

  const native = (element) => {
    if (!(element instanceof HTMLSelectElement) || element.disabled) return false;
    if (element.multiple || element.size > 1) return false;
    return getComputedStyle(element).appearance !== "base-select";
  };
  const style = (element, rules) => Object.assign(element.style, rules);
  const enabled = (option) => !option.disabled && !(option.parentElement.disabled);

  function close() {
    if (!open) return;
    const {host, select} = open;
    open = null;
    host.remove();
    select.removeAttribute("aria-expanded");
  }
  function choose(index) {
    const {select} = open;
    close();
    if (index < 0 || index === select.selectedIndex) return;
    select.selectedIndex = index;
    select.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
    select.dispatchEvent(new Event("change", {bubbles: true}));
  }
  function highlight(index, scroll = true) {
    if (!open || index < 0) return;
    open.active = index;
    for (const row of open.rows) {
      const on = row.index === index;
      style(row.element, {background: on ? "#1967d2" : "", color: on ? "#fff" : row.enabled ? "#111" : "#8a8a8a"});
      row.element.setAttribute("aria-selected", on);
      if (on && scroll) row.element.scrollIntoView({block: "nearest"});
    }
  }
  function step(by) {
    const usable = open.rows.filter((row) => row.enabled).map((row) => row.index);
    const place = usable.indexOf(open.active) + by;
    highlight(usable[Math.max(0, Math.min(usable.length - 1, place))]);
  }
  function heading(list, label) {
    const element = list.appendChild(document.createElement("div"));
    element.textContent = label;
    style(element, {font: "inherit", fontWeight: "bold", padding: "3px 8px", height: ROW + "px", boxSizing: "border-box"});
  }
  function fill(list, select) {
    const rows = [];
    let group = null;
    for (const option of select.options) {
      if (option.hidden || getComputedStyle(option).display === "none") continue;
      const parent = option.parentElement;
      if (parent instanceof HTMLOptGroupElement && parent !== group) heading(list, parent.label);
      group = parent;
      const element = list.appendChild(document.createElement("div"));
      element.setAttribute("role", "option");
      element.textContent = option.label || option.text || "\u00a0";
      style(element, {
        padding: parent instanceof HTMLOptGroupElement ? "3px 8px 3px 22px" : "3px 8px", height: ROW + "px",
        boxSizing: "border-box", whiteSpace: "nowrap", overflow: "hidden", textOverflow: "ellipsis",
      });
      rows.push({element, index: option.index, enabled: enabled(option)});
    }
    return rows;
  }
  function place(host, select, count) {
    const box = select.getBoundingClientRect();
    const height = Math.min(count, MOST) * ROW + 2;
    const below = box.bottom + height <= innerHeight || box.top < height;
    style(host, {
      all: "initial", position: "fixed", inset: "auto", margin: "0", padding: "0", border: "1px solid #767676",
      boxSizing: "border-box", background: "#fff", color: "#111", overflow: "hidden auto", zIndex: "2147483647",
      font: "13.333px system-ui, sans-serif", boxShadow: "0 2px 6px rgba(0,0,0,.25)", cursor: "default",
      left: Math.max(0, Math.min(box.left, innerWidth - box.width)) + "px", minWidth: box.width + "px",
      maxWidth: "100vw", top: (below ? box.bottom : box.top - height) + "px", maxHeight: height + "px",
    });
  }
  // Behind a modal dialog everything is inert, so the list of a field within it lies within it too.
  function container(select) {
    for (let at = select; at; at = at.getRootNode().host) {
      const dialog = at.closest("dialog:modal");
      if (dialog) return dialog;
    }
    return document.documentElement;
  }
  function show(select) {
    close();
    const host = document.createElement("div");
    host.setAttribute("role", "listbox");
    host.setAttribute("popover", "manual");
    const rows = fill(host, select);
    place(host, select, host.children.length);
    container(select).appendChild(host);
    host.showPopover();
    select.setAttribute("aria-expanded", "true");
    open = {host, select, rows, active: select.selectedIndex, typed: "", at: 0};
    highlight(select.selectedIndex);
  }
  function search(key) {
    const time = performance.now();
    open.typed = time - open.at > 1000 ? key : open.typed + key;
    open.at = time;
    const hit = open.rows.find((row) => row.enabled
      && row.element.textContent.trim().toLowerCase().startsWith(open.typed.toLowerCase()));
    if (hit) highlight(hit.index);
  }
  const stop = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  const rowAt = (event) => open && open.rows.find((row) => event.composedPath().includes(row.element));

  window.addEventListener("mousedown", (event) => {
    const target = event.composedPath()[0];
    if (open && event.composedPath().includes(open.host)) return stop(event);
    const again = open && open.select === target;
    close();
    const select = target.closest?.("select");
    if (event.button !== 0 || !select || !native(select)) return;
    // The page's own handlers see the press first and may forbid the list.
    window.addEventListener("mousedown", function last(same) {
      window.removeEventListener("mousedown", last);
      if (same !== event || same.defaultPrevented) return;
      same.preventDefault();
      select.focus();
      if (!again) show(select);
    });
  }, true);
  for (const kind of ["mouseup", "click", "pointerdown", "pointerup"]) {
    window.addEventListener(kind, (event) => {
      if (!open || !event.composedPath().includes(open.host)) return;
      stop(event);
      const row = kind === "click" ? rowAt(event) : null;
      if (row && row.enabled) choose(row.index);
    }, true);
  }
  window.addEventListener("mousemove", (event) => {
    const row = rowAt(event);
    if (row && row.enabled) highlight(row.index, false);
  }, true);
  window.addEventListener("blur", close);
  window.addEventListener("scroll", (event) => {
    if (open && event.target !== open.host) close();
  }, true);
  window.addEventListener("keydown", (event) => {
    const {key, altKey} = event;
    if (!open) {
      const select = event.composedPath()[0];
      const opens = key === " " || key === "Enter" || key === "F4" || (altKey && /^Arrow(Up|Down)$/.test(key));
      if (opens && native(select)) { event.preventDefault(); show(select); }
      return;
    }
    const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e6, End: 1e6};
    if (key === "Tab") return choose(open.active);
    stop(event);
    if (key === "Enter" || (altKey && key in moves)) choose(open.active);
    else if (key === "Escape") close();
    else if (key in moves) step(moves[key]);
    else if (key.length === 1 && !event.ctrlKey && !event.metaKey) search(key);
  }, true);
})();
