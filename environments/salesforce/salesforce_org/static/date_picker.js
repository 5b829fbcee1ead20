// The calendar of a date field ([data-datepicker]); dates are written as the org's users write them, M/D/YYYY.
(() => {
  const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const make = (tag, attributes, ...content) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...content);
    return made;
  };
  const today = () => {
    const [year, month, day] = document.body.dataset.today.split("-").map(Number);
    return new Date(year, month - 1, day);
  };
  const written = (date) => `${date.getMonth() + 1}/${date.getDate()}/${date.getFullYear()}`;
  const read = (text) => {
    const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
    return found ? new Date(+found[3], +found[1] - 1, +found[2]) : null;
  };
  const close = (root) => { root.querySelector(".slds-datepicker")?.remove(); root.classList.remove("slds-is-open"); };

  function arrow(label, symbol, step) {
    const button = make("button", { type: "button", class: "slds-button slds-button_icon slds-button_icon-container", title: label, "aria-label": label, "data-month-step": step });
    button.append(symbol);
    return button;
  }

  function draw(root, shown, focused) {
    root.querySelector(".slds-datepicker")?.remove();
    const input = root.querySelector("input"), chosen = read(input.value), now = today();
    const years = make("select", { class: "slds-select", "aria-label": "Pick a Year" });
    for (let year = now.getFullYear() - 100; year <= now.getFullYear() + 100; year++) years.append(new Option(year, year, false, year === shown.getFullYear()));
    const head = make("div", { class: "slds-datepicker__filter slds-grid" },
      make("div", { class: "slds-datepicker__filter_month slds-grid slds-grid_align-spread slds-grow" },
        arrow("Previous Month", "\u25C0", -1), make("h2", { class: "slds-align-middle", "aria-live": "polite" }, MONTHS[shown.getMonth()]), arrow("Next Month", "\u25B6", 1)),
      make("div", { class: "slds-shrink-none" }, make("div", { class: "slds-select_container" }, years)));
    const body = make("tbody", {});
    const day = new Date(shown.getFullYear(), shown.getMonth(), 1);
    day.setDate(1 - day.getDay());
    for (let week = 0; week < 6; week++) {
      const row = make("tr", {});
      for (let at = 0; at < 7; at++) { row.append(cell(new Date(day), shown, chosen, now, focused)); day.setDate(day.getDate() + 1); }
      body.append(row);
    }
    const names = make("tr", {}, ...DAYS.map((name) => make("th", { scope: "col" }, name)));
    const table = make("table", { class: "slds-datepicker__month", role: "grid", "aria-label": `${MONTHS[shown.getMonth()]} ${shown.getFullYear()}` }, make("thead", {}, names), body);
    const foot = make("button", { type: "button", class: "slds-button slds-align_absolute-center slds-text-link", "data-day": written(now) }, "Today");
    const picker = make("div", { class: "slds-datepicker slds-dropdown slds-dropdown_left", role: "dialog", "aria-label": "Date picker" }, head, table, foot);
    picker.dataset.month = written(new Date(shown.getFullYear(), shown.getMonth(), 1));
    root.append(picker);
    root.classList.add("slds-is-open");
    const room = innerHeight - picker.getBoundingClientRect().bottom;
    if (room < 0) picker.scrollIntoView({ block: "nearest" });
    if (focused) picker.querySelector('td[tabindex="0"]')?.focus();
  }

  function cell(day, shown, chosen, now, focused) {
    const same = (one, other) => one && other && one.toDateString() === other.toDateString();
    const away = day.getMonth() !== shown.getMonth();
    const active = same(day, focused || chosen || now) && !away;
    const classes = [away && "slds-day_adjacent-month", same(day, now) && "slds-is-today", same(day, chosen) && "slds-is-selected"];
    return make("td", { role: "gridcell", class: classes.filter(Boolean).join(" "), "aria-selected": String(!!same(day, chosen)), tabindex: active ? "0" : "-1", "data-day": written(day), "aria-label": `${MONTHS[day.getMonth()]} ${day.getDate()}, ${day.getFullYear()}` },
      make("span", { class: "slds-day" }, String(day.getDate())));
  }

  function pick(root, text) {
    const input = root.querySelector("input");
    input.value = text;
    close(root);
    input.focus();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  document.addEventListener("click", (event) => {
    const root = event.target.closest("[data-datepicker]");
    document.querySelectorAll("[data-datepicker].slds-is-open").forEach((one) => one !== root && close(one));
    if (!root) return;
    const day = event.target.closest("[data-day]"), step = event.target.closest("[data-month-step]");
    const picker = root.querySelector(".slds-datepicker");
    if (day) pick(root, day.dataset.day);
    else if (step) { const month = read(picker.dataset.month); month.setMonth(month.getMonth() + Number(step.dataset.monthStep)); draw(root, month); }
    else if (event.target.closest("[data-calendar]")) picker ? close(root) : draw(root, read(root.querySelector("input").value) || today());
  });

  document.addEventListener("change", (event) => {
    const picker = event.target.closest(".slds-datepicker");
    if (!picker || event.target.tagName !== "SELECT") return;
    const month = read(picker.dataset.month);
    month.setFullYear(Number(event.target.value));
    draw(picker.closest("[data-datepicker]"), month);
  });

  document.addEventListener("keydown", (event) => {
    const root = event.target.closest("[data-datepicker]");
    if (!root) return;
    const open = root.classList.contains("slds-is-open");
    if (event.key === "Escape" && open) { event.preventDefault(); event.stopPropagation(); close(root); return root.querySelector("input").focus(); }
    if (event.target.matches("input") && event.key === "ArrowDown") { event.preventDefault(); const at = read(event.target.value) || today(); return draw(root, at, at); }
    const cellNow = event.target.closest("td[data-day]");
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    if (!cellNow) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); return pick(root, cellNow.dataset.day); }
    if (!(event.key in steps)) return;
    event.preventDefault();
    const day = read(cellNow.dataset.day);
    day.setDate(day.getDate() + steps[event.key]);
    draw(root, day, day);
  });
})();
