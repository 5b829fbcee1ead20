// Two lists between which options move. Click, Ctrl and Shift select; Ctrl+Right and Ctrl+Left move; a double click too.
(() => {
  let anchor = null, typed = "", typedAt = -Infinity;
  const list = (root, side) => root.querySelector(`[data-dual-list=${side}]`);
  const all = (ul) => [...ul.querySelectorAll("[role=option]")];
  const picked = (ul) => all(ul).filter((one) => one.getAttribute("aria-selected") === "true");

  function mark(option, wanted) {
    option.setAttribute("aria-selected", String(wanted));
    option.classList.toggle("slds-is-selected", wanted);
  }

  function focus(option) {
    all(option.parentElement).forEach((one) => (one.tabIndex = one === option ? 0 : -1));
    option.focus();
  }

  function select(option, event) {
    const root = option.closest("[data-dual]"), ul = option.parentElement;
    ["left", "right"].forEach((side) => list(root, side) !== ul && all(list(root, side)).forEach((one) => mark(one, false)));
    if (event.shiftKey && anchor && anchor.parentElement === ul) {
      const rows = all(ul), [a, b] = [rows.indexOf(anchor), rows.indexOf(option)].sort((x, y) => x - y);
      rows.forEach((one, at) => mark(one, at >= a && at <= b));
    } else {
      if (!event.ctrlKey && !event.metaKey) all(ul).forEach((one) => mark(one, one === option));
      else mark(option, option.getAttribute("aria-selected") !== "true");
      anchor = option;
    }
    focus(option);
  }

  function store(root) {
    const place = root.querySelector("[data-dual-values]");
    place.replaceChildren(...all(list(root, "right")).map((option) => {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name: root.dataset.dual, value: option.dataset.value });
      return input;
    }));
    root.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function across(root, side) {
    const from = list(root, side === "right" ? "left" : "right"), to = list(root, side);
    const moved = picked(from);
    if (!moved.length) return;
    moved.forEach((option) => { option.hidden = false; to.append(option); });
    if (!from.querySelector('[tabindex="0"]') && from.firstElementChild) from.firstElementChild.tabIndex = 0;
    store(root);
    focus(moved[0]);
  }

  function shift(root, step) {
    const ul = list(root, "right"), moved = picked(ul);
    (step < 0 ? moved : moved.reverse()).forEach((option) => {
      const other = step < 0 ? option.previousElementSibling : option.nextElementSibling;
      if (other && !moved.includes(other)) step < 0 ? other.before(option) : other.after(option);
    });
    if (moved.length) store(root);
  }

  function startingWith(rows, at, event) {
    typed = event.timeStamp - typedAt > 1000 ? event.key : typed + event.key;
    typedAt = event.timeStamp;
    const from = typed.length === 1 ? at + 1 : at;
    const turned = [...rows.slice(from), ...rows.slice(0, from)];
    return turned.find((one) => one.textContent.trim().toLowerCase().startsWith(typed.toLowerCase()));
  }

  function act(root, where) {
    if (where === "up" || where === "down") shift(root, where === "up" ? -1 : 1);
    else across(root, where);
  }

  document.addEventListener("click", (event) => {
    const option = event.target.closest("[data-dual] [role=option]");
    const button = event.target.closest("[data-dual-move]");
    if (option) select(option, event);
    else if (button) act(button.closest("[data-dual]"), button.dataset.dualMove);
  });

  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-dual-filter]")) return;
    const words = event.target.value.trim().toLowerCase();
    all(list(event.target.closest("[data-dual]"), "left")).forEach((one) => (one.hidden = !one.textContent.toLowerCase().includes(words)));
  });

  document.addEventListener("dblclick", (event) => {
    const option = event.target.closest("[data-dual] [role=option]");
    if (option) act(option.closest("[data-dual]"), option.parentElement.dataset.dualList === "left" ? "right" : "left");
  });

  document.addEventListener("keydown", (event) => {
    const option = event.target.closest("[data-dual] [role=option]");
    if (!option) return;
    if (event.key.length > 1 && event.key !== "Shift") typedAt = -Infinity;  // what is typed next is another word
    const root = option.closest("[data-dual]"), rows = all(option.parentElement), at = rows.indexOf(option);
    const keys = { ArrowDown: rows[at + 1], ArrowUp: rows[at - 1], Home: rows[0], End: rows[rows.length - 1] };
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) return act(root, event.key === "ArrowRight" ? "right" : "left");
      const other = list(root, event.key === "ArrowRight" ? "right" : "left").querySelector("[role=option]");
      if (other) focus(other);
    } else if (event.key in keys) {
      event.preventDefault();
      const next = keys[event.key];
      if (next) event.ctrlKey || event.metaKey ? focus(next) : select(next, event);
    } else if (event.key === " " && event.timeStamp - typedAt > 1000) {
      event.preventDefault();
      select(option, { shiftKey: event.shiftKey, ctrlKey: true });
    } else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      rows.forEach((one) => mark(one, true));
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      const found = startingWith(rows, at, event);
      if (found) select(found, {});
    }
  });
})();
