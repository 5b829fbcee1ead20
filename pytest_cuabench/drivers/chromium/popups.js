// Shows inside the page what a browser shows in popups of its own, which no picture and no mouse of a headless browser
// reaches: lists of drop-downs and of suggestions, calendars, times and colours. They lie where Chromium has them.
(() => {
  const KEY = Symbol.for("screen.popups"), {replace} = shared;
  if (window[KEY] || !replace) return;
  Object.defineProperty(window, KEY, {value: true});
  const ROW = 24, MOST = 12, DAY = 28, ARROW = 26;
  const MONTHS = "January February March April May June July August September October November December".split(" ");
  const DATES = /^(date|month|week|time|datetime-local)$/;
  let open = null;  // {host, root, field, actions, key, refresh, after}

  const two = (number) => String(number).padStart(2, "0");
  const style = (element, rules) => Object.assign(element.style, rules);
  const free = (field) => field.isConnected && !field.matches(":disabled") && !field.readOnly;
  const kindOf = (field) => {
    if (field instanceof HTMLSelectElement) {
      const list = !field.multiple && field.size <= 1 && getComputedStyle(field).appearance !== "base-select";
      return list && free(field) ? "select" : null;
    }
    if (!(field instanceof HTMLInputElement) || !free(field)) return null;
    if (DATES.test(field.type) || field.type === "color") return field.type;
    return field.list && /^(text|search|url|tel|email|number)$/.test(field.type) ? "list" : null;
  };
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  function set(field, value) {
    if (field.value === value) return;
    write.call(field, value);
    changed(field);
  }
  function changed(field) {
    field.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
    field.dispatchEvent(new Event("change", {bubbles: true}));
  }

  // The popup itself.

  function close() {
    if (!open) return;
    const {host, field} = open;
    open = null;
    host.remove();
    field.removeAttribute("aria-expanded");
  }
  // Behind a modal dialog everything is inert, so the popup of a field within it lies within it too.
  function container(field) {
    for (let at = field; at; at = at.getRootNode().host) {
      const dialog = at.closest("dialog:modal");
      if (dialog) return dialog;
    }
    return document.fullscreenElement ?? document.documentElement;
  }
  function begin(field, role) {
    close();
    const host = document.createElement("div");
    host.setAttribute("role", role);
    host.setAttribute("popover", "manual");
    open = {host, root: host.attachShadow({mode: "open"}), field, actions: new Map(), key: () => false, refresh: null};
    return open;
  }
  function show(width, height) {
    const {host, field} = open, box = field.getBoundingClientRect();
    const below = box.bottom + height <= innerHeight || box.top < height;
    style(host, {
      all: "initial", position: "fixed", inset: "auto", margin: "0", padding: "0", border: "1px solid #767676",
      boxSizing: "border-box", background: "#fff", color: "#111", overflow: "hidden auto", zIndex: "2147483647",
      font: "13.333px system-ui, sans-serif", boxShadow: "0 2px 6px rgba(0,0,0,.25)", cursor: "default",
      left: Math.max(0, Math.min(box.left, innerWidth - (width || box.width))) + "px", maxWidth: "100vw",
      ...(width ? {width: width + "px", height: height + "px"} : {minWidth: box.width + "px"}), userSelect: "none",
      top: Math.max(0, below ? box.bottom : box.top - height) + "px", maxHeight: Math.min(height, innerHeight) + "px",
    });
    container(field).appendChild(host);
    host.showPopover();
    field.setAttribute("aria-expanded", "true");
  }
  function part(parent, text, rules, act, role = "button") {
    const element = parent.appendChild(document.createElement("div"));
    element.textContent = text;
    style(element, {boxSizing: "border-box", whiteSpace: "nowrap", overflow: "hidden", ...rules});
    if (act) {
      element.setAttribute("role", role);
      open.actions.set(element, act);
    }
    return element;
  }
  const cell = (x, y, width, height, on) => ({
    position: "absolute", left: x + "px", top: y + "px", width: width + "px", height: height + "px", textAlign: "center",
    lineHeight: height + "px", ...(on ? {background: "#0075ff", color: "#fff", fontWeight: "bold"} : {}),
  });
  const panel = (x, width, height) => part(open.root, "", {
    position: "absolute", left: x + "px", top: "0", width: width + "px", height: height + "px", overflow: "hidden auto",
    scrollbarWidth: "thin",
  });

  // Lists.

  function highlight(index, scroll = true) {
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
    if (usable.length) highlight(usable[Math.max(0, Math.min(usable.length - 1, place))]);
  }
  function row(text, index, enabled, indent, choose) {
    const rules = {padding: `3px 8px 3px ${indent}px`, height: ROW + "px", textOverflow: "ellipsis"};
    const element = part(open.root, text || "\u00a0", rules, () => enabled && choose(index), "option");
    open.rows.push({element, index, enabled});
  }
  const MOVES = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e6, End: 1e6};

  function showSelect(select) {
    const choose = (index) => {
      close();
      if (index < 0 || index === select.selectedIndex) return;
      select.selectedIndex = index;
      changed(select);
    };
    Object.assign(begin(select, "listbox"), {rows: [], typed: "", at: 0});
    let group = null;
    for (const option of select.options) {
      if (option.hidden || getComputedStyle(option).display === "none") continue;
      const parent = option.parentElement, inner = parent instanceof HTMLOptGroupElement;
      if (inner && parent !== group) {
        part(open.root, parent.label, {fontWeight: "bold", padding: "3px 8px", height: ROW + "px"});
      }
      group = parent;
      row(option.label || option.text, option.index, !option.disabled && !parent.disabled, inner ? 22 : 8, choose);
    }
    open.key = (event) => {
      const {key, altKey} = event;
      if (key === "Tab") {
        choose(open.active);
        return false;
      }
      if (key === "Enter" || (altKey && key in MOVES)) choose(open.active);
      else if (key in MOVES) step(MOVES[key]);
      else if (key.length === 1 && !event.ctrlKey && !event.metaKey) search(key);
      return true;
    };
    show(0, Math.min(open.root.children.length, MOST) * ROW + 2);
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
  function showSuggestions(field) {
    const wanted = field.value.toLowerCase();
    const options = [...field.list.options].filter((one) => one.value && !one.disabled
      && `${one.value} ${one.label}`.toLowerCase().includes(wanted));
    close();
    if (!options.length || (options.length === 1 && options[0].value === field.value)) return;
    const choose = (index) => {
      close();
      set(field, options[index].value);
    };
    Object.assign(begin(field, "listbox"), {rows: [], active: -1});
    options.forEach((one, index) => row(
      one.label && one.label !== one.value ? `${one.value} \u2013 ${one.label}` : one.value, index, true, 8, choose,
    ));
    open.refresh = () => showSuggestions(field);
    open.key = (event) => {
      if (event.key === "Enter" && open.active >= 0) choose(open.active);
      else if (/^(Arrow|Page)(Up|Down)$/.test(event.key)) step(MOVES[event.key]);
      else return false;
      return true;
    };
    show(0, Math.min(options.length, MOST) * ROW + 2);
  }

  // Dates and times; a day is a Date at midnight UTC.

  const iso = (day) => day.toISOString().slice(0, 10);
  const plus = (day, days) => new Date(day.getTime() + days * 864e5);
  const monthsLater = (day, by) => {
    const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + by + 1, 0)).getUTCDate();
    return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + by, Math.min(day.getUTCDate(), last)));
  };
  const weekOf = (day) => {  // as a field holds it: weeks begin on Monday, and the first has a Thursday of its year
    const thursday = plus(day, 3 - (day.getUTCDay() + 6) % 7), year = thursday.getUTCFullYear();
    return `${year}-W${two(Math.floor((thursday - Date.UTC(year, 0, 1)) / 6048e5) + 1)}`;
  };
  const today = () => {
    const now = new Date();
    return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
  };
  function dayOf(field) {
    const {type, value} = field;
    if (!value) return null;
    if (type === "week") {
      const [year, week] = value.split("-W").map(Number), start = new Date(Date.UTC(year, 0, 4));
      return plus(start, (week - 1) * 7 - (start.getUTCDay() + 6) % 7);
    }
    const day = new Date(`${type === "month" ? value + "-01" : value.slice(0, 10)}T00:00:00Z`);
    return isNaN(day) ? null : day;
  }
  const valueOf = (field, day) => {
    const date = iso(day);
    if (field.type === "month") return date.slice(0, 7);
    if (field.type === "week") return weekOf(day);
    return field.type === "date" ? date : `${date}T${field.value.slice(11) || "00:00"}`;
  };
  function may(field, day) {
    const value = valueOf(field, day), length = field.type === "datetime-local" ? 10 : undefined;
    const within = (limit, sign) => !limit || sign * value.slice(0, length).localeCompare(limit.slice(0, length)) >= 0;
    return within(field.min, 1) && within(field.max, -1);
  }
  function choose(field, day) {
    if (!may(field, day)) return;
    set(field, valueOf(field, day));
    if (field.type !== "datetime-local") close();
    else open.refresh(day);
  }

  function showDates(field, at = dayOf(field) ?? today()) {
    const months = field.type === "month", weeks = field.type === "week", times = field.type === "datetime-local";
    begin(field, "dialog").refresh = (day) => showDates(field, day);
    const left = weeks ? 48 : 0, width = months ? 232 : 218 + left, height = months ? 182 : 282;
    const chosen = field.value, calendar = panel(0, width, height);
    const title = months ? String(at.getUTCFullYear()) : `${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
    const by = months ? 12 : 1, go = (days) => () => showDates(field, days);
    part(calendar, title, {...cell(10, 8, 130, 28), textAlign: "left", fontWeight: "bold"});
    part(calendar, "\u2191", cell(width - 72, 8, 30, 28), go(monthsLater(at, -by))).ariaLabel = "previous";
    part(calendar, "\u2193", cell(width - 40, 8, 30, 28), go(monthsLater(at, by))).ariaLabel = "next";
    const days = (day, text, rules) => {
      const on = valueOf(field, day).slice(0, 10) === chosen.slice(0, 10), able = may(field, day);
      const mark = iso(day) === iso(at) ? {outline: "2px solid #101010", outlineOffset: "-2px"} : {};
      const element = part(calendar, text, {...rules(on), ...mark, ...(able ? {} : {color: "#aaa"})}, () => choose(field, day));
      element.ariaLabel = months ? `${text} ${title}` : iso(day);
      return element;
    };
    if (months) {
      MONTHS.forEach((name, index) => days(
        new Date(Date.UTC(at.getUTCFullYear(), index, 1)), name.slice(0, 3),
        (on) => cell(11 + index % 4 * 48, 42 + Math.floor(index / 4) * 34, 48, 34, on),
      ));
    } else {
      [..."SMTWTFS"].forEach((name, index) => part(calendar, name, cell(left + 10 + index * DAY, 48, DAY, DAY)));
      const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)), start = plus(first, -first.getUTCDay());
      for (let index = 0; index < 42; index++) {
        const day = plus(start, index), top = 78 + Math.floor(index / 7) * DAY;
        if (weeks && index % 7 === 0) {
          const thursday = plus(day, 4), week = weekOf(thursday);
          part(calendar, week.slice(6), cell(10, top, 46, DAY, week === chosen), () => choose(field, thursday)).ariaLabel = week;
        }
        const element = days(day, day.getUTCDate(), (on) => cell(left + 10 + index % 7 * DAY, top, DAY, DAY, on));
        if (day.getUTCMonth() !== at.getUTCMonth()) element.style.opacity = "0.6";
      }
    }
    const foot = height - 34, now = {date: "Today", month: "This month", week: "This week"}[field.type] ?? "Today";
    part(calendar, "Clear", {...cell(10, foot, 56, 26), color: "#0078d4"}, () => { close(); set(field, ""); });
    part(calendar, now, {...cell(width - 90, foot, 80, 26), color: "#0078d4"}, () => choose(field, today()));
    if (times) addTimes(field, width, height);
    open.key = ({key}) => {
      const moves = months
        ? {ArrowLeft: () => monthsLater(at, -1), ArrowRight: () => monthsLater(at, 1), ArrowUp: () => monthsLater(at, -4),
          ArrowDown: () => monthsLater(at, 4), PageUp: () => monthsLater(at, -12), PageDown: () => monthsLater(at, 12)}
        : {ArrowLeft: () => plus(at, weeks ? -7 : -1), ArrowRight: () => plus(at, weeks ? 7 : 1), ArrowUp: () => plus(at, -7),
          ArrowDown: () => plus(at, 7), PageUp: () => monthsLater(at, -1), PageDown: () => monthsLater(at, 1)};
      if (key in moves) showDates(field, moves[key]());
      else if (key === "Enter" || key === " ") {
        choose(field, at);
        close();
      } else return false;
      return true;
    };
    show(width + 2 + (times ? 172 : 0), height + 2);
    open.after?.();
  }

  const clock = (field) => /(\d\d):(\d\d)(:\d\d(?:\.\d+)?)?$/.exec(field.value);
  function addTimes(field, left, height) {
    const found = clock(field), hour = found ? +found[1] : 0, minute = found ? +found[2] : 0;
    const date = field.type === "time" ? "" : (field.value.slice(0, 10) || iso(today())) + "T";
    const apply = (hours, minutes) => {
      set(field, `${date}${two(hours)}:${two(minutes)}${found?.[3] ?? ""}`);
      open?.refresh();
    };
    const columns = [
      [...Array(12).keys()].map((number) => [two(number || 12), number + (hour >= 12 ? 12 : 0), minute]),
      [...Array(60).keys()].map((number) => [two(number), hour, number]),
      ["AM", "PM"].map((name, half) => [name, hour % 12 + 12 * half, minute]),
    ];
    const current = [];
    columns.forEach((rows, number) => {
      const column = panel(left + 1 + number * 56, 56, height);
      rows.forEach(([text, hours, minutes], index) => {
        const on = hours === hour && minutes === minute;
        const element = part(column, text, cell(1, 8 + index * 36, 54, 35, found && on), () => apply(hours, minutes));
        if (on) current.push(() => { column.scrollTop = Math.max(0, index * 36); });
      });
      part(column, "", cell(0, 8 + rows.length * 36 + (rows.length > 2 ? height - 52 : 0), 1, 1));
    });
    open.after = () => current.forEach((scroll) => scroll());
  }
  function showTime(field) {
    begin(field, "dialog").refresh = () => showTime(field);
    addTimes(field, 0, 260);
    open.key = ({key}) => {
      if (key === "Enter") close();
      return /^(Enter|Arrow(Up|Down))$/.test(key);
    };
    show(172, 262);
    open.after();
  }

  // Colours.

  function showColours(field, typed = field.value) {
    begin(field, "dialog");
    const shades = (column, line) => column < 12
      ? `hsl(${column * 30} 100% ${[85, 70, 50, 35, 20][line]}%)` : `hsl(0 0% ${[100, 75, 50, 25, 0][line]}%)`;
    const pen = document.createElement("canvas").getContext("2d");
    for (let line = 0; line < 5; line++) {
      for (let column = 0; column < 13; column++) {
        pen.fillStyle = shades(column, line);
        const colour = pen.fillStyle;
        const rules = {...cell(8 + column * 20, 8 + line * 24, 18, 22), background: colour, border: "1px solid #999"};
        part(open.root, "", rules, () => { close(); set(field, colour); }).ariaLabel = colour;
      }
    }
    const whole = /^#[0-9a-f]{6}$/i.test(typed);
    part(open.root, "", {...cell(8, 134, 30, 26), border: "1px solid #999", background: whole ? typed : "none"});
    const rules = {...cell(46, 134, 110, 26), border: "1px solid #767676", textAlign: "left", paddingLeft: "6px"};
    part(open.root, typed, rules, () => {}, "textbox").ariaLabel = "colour";
    open.key = ({key, ctrlKey, metaKey}) => {
      if (key === "Enter") {
        close();
        if (whole) set(field, typed.toLowerCase());
      } else if (key === "Backspace") showColours(field, typed.slice(0, -1));
      else if ((ctrlKey || metaKey) && key === "a") showColours(field, "");
      else if (/^[0-9a-f#]$/i.test(key)) showColours(field, (typed.length < 7 ? typed : "") + key);
      else return key === " ";
      return true;
    };
    show(276, 170);
  }

  // Tooltips.

  const tip = document.createElement("div");
  tip.setAttribute("role", "tooltip");
  tip.setAttribute("popover", "manual");
  let titled = null, resting = 0;
  function untip() {
    clearTimeout(resting);
    tip.remove();
    titled = null;
  }
  function pointed(event) {
    const element = event.composedPath().find((one) => one.title && typeof one.title === "string");
    if (element === titled) return;
    untip();
    if (!element || open) return;
    titled = element;
    resting = setTimeout(() => {
      tip.textContent = element.title;
      style(tip, {
        all: "initial", position: "fixed", inset: "auto", margin: "0", padding: "4px 8px", background: "#111", color: "#fff",
        font: "12px system-ui, sans-serif", maxWidth: "400px", whiteSpace: "pre-line", pointerEvents: "none",
        left: Math.max(0, Math.min(event.clientX, innerWidth - 400)) + "px", zIndex: "2147483647",
        top: (event.clientY + 48 < innerHeight ? event.clientY + 20 : event.clientY - 30) + "px",
      });
      container(element).appendChild(tip);
      tip.showPopover();
    }, 600);
  }
  window.addEventListener("mousemove", pointed, true);
  for (const kind of ["mousedown", "keydown", "wheel", "blur"]) window.addEventListener(kind, untip, {capture: true, passive: true});

  const SHOW = {select: showSelect, list: showSuggestions, time: showTime, color: showColours};
  const showFor = (field, kind = kindOf(field)) => (SHOW[kind] ?? showDates)(field);

  // Input.

  const stop = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  const inside = (event) => open && event.composedPath().includes(open.host);
  // The page's own handlers see an event first and may forbid the popup.
  const afterPage = (event, act) => window.addEventListener(event.type, function last(same) {
    window.removeEventListener(event.type, last);
    if (same !== event || same.defaultPrevented) return;
    same.preventDefault();
    act();
  });
  const atArrow = (field, event) => {
    const box = field.getBoundingClientRect(), rtl = getComputedStyle(field).direction === "rtl";
    return event.detail > 0 && (rtl ? event.clientX - box.left : box.right - event.clientX) < ARROW;
  };
  let toggled = null, focused = null;  // the field whose popup a press has closed; whether it had the focus before

  function pressed(event) {
    if (inside(event)) return stop(event);
    const field = event.composedPath()[0];
    if (event.currentTarget === window) {
      toggled = open?.field;
      close();
    }
    focused = field.getRootNode?.().activeElement === field;
    if (event.button !== 0) return;
    const select = field.closest?.("select");
    if (!select || kindOf(select) !== "select") return;
    const again = toggled === select;
    afterPage(event, () => {
      select.focus({preventScroll: true});  // as a press does; scrolling would close the list
      if (!again) showSelect(select);
    });
  }
  function clicked(event) {
    if (inside(event)) {
      stop(event);
      event.composedPath().map((element) => open?.actions.get(element)).find(Boolean)?.();
      return;
    }
    const field = event.composedPath()[0], kind = event.isTrusted || event.detail === 0 ? kindOf(field) : null;
    if (!kind || kind === "select" || (DATES.test(kind) && !atArrow(field, event))) return;
    if (kind === "list" && !focused && !atArrow(field, event)) return;
    const again = toggled === field;
    afterPage(event, () => { if (!again) showFor(field, kind); });
  }
  function typed(event) {
    const {key, altKey} = event, field = event.composedPath()[0];
    if (!open) {
      const kind = kindOf(field);
      const opens = kind === "select" ? key === " " || key === "Enter" || key === "F4" : kind !== "color" && key === "F4";
      const down = kind === "list" ? key === "ArrowDown" : altKey && /^Arrow(Up|Down)$/.test(key);
      if (kind && (opens || down)) { event.preventDefault(); showFor(field, kind); }
      return;
    }
    if (event.currentTarget !== window) return;
    if (key === "Escape") {
      stop(event);
      close();
    } else if (open.key(event)) stop(event);
    else if (key === "Tab") close();
  }
  function listen(target) {
    target.addEventListener("mousedown", pressed, true);
    target.addEventListener("click", clicked, true);
    target.addEventListener("keydown", typed, true);
  }
  listen(window);
  replace(Element.prototype, "attachShadow", (original, self, given) => {
    const root = Reflect.apply(original, self, given);
    if (root.mode === "closed") listen(root);  // from outside its fields cannot be told apart
    return root;
  });
  for (const kind of ["mouseup", "pointerdown", "pointerup", "contextmenu"]) {
    window.addEventListener(kind, (event) => { if (inside(event)) stop(event); }, true);
  }
  window.addEventListener("mousemove", (event) => {
    const row = open?.rows?.find((one) => event.composedPath().includes(one.element));
    if (row?.enabled) highlight(row.index, false);
  }, true);
  window.addEventListener("input", (event) => {
    const field = event.composedPath()[0];
    if (event.isTrusted && kindOf(field) === "list") showSuggestions(field);
  }, true);
  window.addEventListener("blur", close);
  window.addEventListener("scroll", (event) => {
    if (open && event.target !== open.host && !event.composedPath().includes(open.host)) close();
  }, true);
  for (const type of [HTMLInputElement, HTMLSelectElement]) {
    replace(type.prototype, "showPicker", (original, self, given) => {
      const kind = kindOf(self);
      if (!kind || !navigator.userActivation.isActive) return Reflect.apply(original, self, given);
      showFor(self, kind);
    });
  }
})();
