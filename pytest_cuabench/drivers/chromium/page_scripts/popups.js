// What a browser shows in windows of its own, which no picture and no mouse of a headless browser reaches: lists of
// drop-downs and of suggestions, calendars, times, colours, tooltips. They lie where Chromium has them, but stand in no
// document: the driver asks what they look like, lays that over the page's picture, and brings the mouse.
{
  const ROW = 24, MOST = 12, DAY = 28, ARROW = 26, BAR = 12, NOTCH = 72, TIP = 400, LATE = 600;
  const FONT = "13.333px system-ui, sans-serif", SMALL = "12px system-ui, sans-serif";
  const MONTHS = "January February March April May June July August September October November December".split(" ");
  const DATES = /^(date|month|week|time|datetime-local)$/;
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  let open = null;  // {field, kind, role, width, height, panels, key, refresh, active}
  let tip = null;   // {element, text, x, y}

  const two = (number) => String(number).padStart(2, "0");
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
  function set(field, value) {
    if (field.value === value) return;
    field.value = value;
    changed(field);
  }
  function changed(field) {
    field.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
    field.dispatchEvent(new Event("change", {bubbles: true}));
  }

  // The popup itself: panels of parts, each with its place in the panel. A panel may scroll.

  function close() {
    if (open) tell("drawn", open = null);
  }
  // A list goes with its field: taken away, replaced, hidden or disabled.
  function tidy() {
    const {field, kind} = open ?? {};
    if (open && (kindOf(field) !== kind || !field.checkVisibility({visibilityProperty: true}))) close();
    const there = tip && get(tip.element, "isConnected") && titleOf(tip.element) === tip.text;
    if (tip && !there) untip();
    return open;
  }
  function begin(field, kind, role) {
    untip();
    open = {field, kind, role, panels: [], key: () => false, refresh: null, active: -1};
  }
  const panel = (x, width, height) => {
    const added = {x, y: 0, width, height, top: 0, inner: 0, parts: []};
    open.panels.push(added);
    return added;
  };
  function part(panel, text, box, more = {}) {
    const added = {text: String(text), role: more.act ? "button" : "", ...box, ...more};
    panel.parts.push(added);
    panel.inner = Math.max(panel.inner, added.y + added.height);
    return added;
  }
  function show(width, height) {
    Object.assign(open, {width, height});
    const {x, y} = corner();
    tell("drawn", [x, y, open.width, open.height]);
  }
  function corner() {
    const box = call(open.field, "getBoundingClientRect"), {width, height} = open;
    const below = box.bottom + height <= innerHeight || box.top < height;
    return {
      x: Math.max(0, Math.min(box.left, innerWidth - width)),
      y: Math.max(0, Math.min(below ? box.bottom : box.top - height, innerHeight - height)),
    };
  }
  const cell = (x, y, width, height, on) => ({
    x, y, width, height, centred: true, ...(on ? {background: "#0075ff", color: "#fff", bold: true, selected: true} : {}),
  });
  const scroll = (panel, top) => { panel.top = Math.max(0, Math.min(top, panel.inner - panel.height)); };

  // Lists.

  function highlight(index, follow = true) {
    const [panel] = open.panels;
    open.active = index;
    for (const row of panel.parts) {
      row.selected = row.index !== undefined && row.index === index;
      if (!row.selected || !follow) continue;
      if (row.y < panel.top) scroll(panel, row.y);
      else if (row.y + row.height > panel.top + panel.height) scroll(panel, row.y + row.height - panel.height);
    }
  }
  const usable = () => open.panels[0].parts.filter((row) => row.enabled);
  function step(by) {
    const rows = usable(), place = rows.findIndex((row) => row.index === open.active) + by;
    if (rows.length) highlight(rows[Math.max(0, Math.min(rows.length - 1, place))].index);
  }
  function list(rows, choose) {
    pen.font = FONT;
    const box = call(open.field, "getBoundingClientRect"), texts = rows.map((row) => pen.measureText(row.text).width + row.indent + 24);
    const width = Math.min(innerWidth, Math.ceil(Math.max(box.width, ...texts.slice(0, 2000))));
    const height = Math.min(Math.min(rows.length, MOST) * ROW + 2, innerHeight), all = panel(0, width - 2, height - 2);
    rows.forEach((row, number) => part(all, row.text || "\u00a0", {x: 0, y: number * ROW, width: width - 2, height: ROW}, row.index === undefined
      ? {bold: true, indent: row.indent}
      : {...row, role: "option", act: () => row.enabled && choose(row.index)}));
    show(width, height);
  }
  const MOVES = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e6, End: 1e6};

  function showSelect(select) {
    const choose = (index) => {
      close();
      if (index < 0 || index === select.selectedIndex) return;
      select.selectedIndex = index;
      changed(select);
    };
    begin(select, "select", "listbox");
    const rows = [];
    let group = null;
    for (const option of select.options) {
      if (option.hidden || getComputedStyle(option).display === "none") continue;
      const parent = option.parentElement, inner = parent instanceof HTMLOptGroupElement;
      if (inner && parent !== group) rows.push({text: parent.label, indent: 8});
      group = parent;
      const enabled = !option.disabled && !parent.disabled;
      rows.push({text: option.label || option.text, index: option.index, enabled, indent: inner ? 22 : 8});
    }
    let letters = "", at = 0;
    const search = (key) => {
      const time = performance.now();
      letters = time - at > 1000 ? key : letters + key;
      at = time;
      const hit = usable().find((row) => row.text.trim().toLowerCase().startsWith(letters.toLowerCase()));
      if (hit) highlight(hit.index);
    };
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
    const texts = () => [...select.options].map((option) => option.label || option.text).join("\n"), shown = texts();
    open.stale = () => texts() !== shown;
    list(rows, choose);
    highlight(select.selectedIndex);
  }
  function showSuggestions(field) {
    const wanted = field.value.toLowerCase();
    const options = [...field.list.options].filter((one) => one.value && !one.disabled
      && `${one.value} ${one.label}`.toLowerCase().includes(wanted)).map(({value, label}) => ({value, label}));
    close();
    if (!options.length || (options.length === 1 && options[0].value === field.value)) return;
    const choose = (index) => {
      close();
      set(field, options[index].value);
    };
    begin(field, "list", "listbox");
    open.key = (event) => {
      if (event.key === "Enter" && open.active >= 0) choose(open.active);
      else if (/^(Arrow|Page)(Up|Down)$/.test(event.key)) step(MOVES[event.key]);
      else return false;
      return true;
    };
    list(options.map(({value, label}, index) => ({
      text: label && label !== value ? `${value} \u2013 ${label}` : value, index, enabled: true, indent: 8,
    })), choose);
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
    const {refresh} = open;
    if (field.type !== "datetime-local") close();
    set(field, valueOf(field, day));
    if (open && tidy()) refresh(day);
  }

  function showDates(field, at = dayOf(field) ?? today()) {
    const months = field.type === "month", weeks = field.type === "week", times = field.type === "datetime-local";
    begin(field, field.type, "dialog");
    open.refresh = (day) => showDates(field, day);
    const left = weeks ? 48 : 0, width = months ? 232 : 218 + left, height = months ? 182 : 282;
    const chosen = field.value, calendar = panel(0, width, height);
    const title = months ? String(at.getUTCFullYear()) : `${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
    const by = months ? 12 : 1, go = (days) => () => showDates(field, days);
    part(calendar, title, {...cell(10, 8, 130, 28), centred: false, bold: true});
    part(calendar, "\u2191", cell(width - 72, 8, 30, 28), {act: go(monthsLater(at, -by)), name: "previous"});
    part(calendar, "\u2193", cell(width - 40, 8, 30, 28), {act: go(monthsLater(at, by)), name: "next"});
    const days = (day, text, rules, faded = false) => {
      const on = valueOf(field, day).slice(0, 10) === chosen.slice(0, 10), able = may(field, day);
      part(calendar, text, {...rules(on), faded, outlined: iso(day) === iso(at), ...(able ? {} : {color: "#aaa"})}, {
        act: () => choose(field, day), name: months ? `${text} ${title}` : iso(day),
      });
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
          part(calendar, week.slice(6), cell(10, top, 46, DAY, week === chosen), {act: () => choose(field, thursday), name: week});
        }
        const other = day.getUTCMonth() !== at.getUTCMonth();
        days(day, day.getUTCDate(), (on) => cell(left + 10 + index % 7 * DAY, top, DAY, DAY, on), other);
      }
    }
    const foot = height - 34, now = {date: "Today", month: "This month", week: "This week"}[field.type] ?? "Today";
    part(calendar, "Clear", {...cell(10, foot, 56, 26), color: "#0078d4"}, {act: () => { close(); set(field, ""); }});
    part(calendar, now, {...cell(width - 90, foot, 80, 26), color: "#0078d4"}, {act: () => choose(field, today())});
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
  }

  const clock = (field) => /(\d\d):(\d\d)(:\d\d(?:\.\d+)?)?$/.exec(field.value);
  function addTimes(field, left, height) {
    const found = clock(field), hour = found ? +found[1] : 0, minute = found ? +found[2] : 0;
    const date = field.type === "time" ? "" : (field.value.slice(0, 10) || iso(today())) + "T";
    const apply = (hours, minutes) => {
      const {refresh} = open;
      set(field, `${date}${two(hours)}:${two(minutes)}${found?.[3] ?? ""}`);
      if (open && tidy()) refresh();
    };
    const columns = [
      [...Array(12).keys()].map((number) => [two(number || 12), number + (hour >= 12 ? 12 : 0), minute]),
      [...Array(60).keys()].map((number) => [two(number), hour, number]),
      ["AM", "PM"].map((name, half) => [name, hour % 12 + 12 * half, minute]),
    ];
    columns.forEach((rows, number) => {
      const column = panel(left + 1 + number * 56, 56, height);
      rows.forEach(([text, hours, minutes], index) => {
        const on = hours === hour && minutes === minute;
        part(column, text, cell(1, 8 + index * 36, 54, 35, found && on), {act: () => apply(hours, minutes)});
        if (on) column.wanted = index * 36;
      });
      column.inner = 9 + rows.length * 36 + (rows.length > 2 ? height - 52 : 0);
      scroll(column, column.wanted ?? 0);
    });
  }
  function showTime(field) {
    begin(field, "time", "dialog");
    open.refresh = () => showTime(field);
    addTimes(field, 0, 260);
    open.key = ({key}) => {
      if (key === "Enter") close();
      return /^(Enter|Arrow(Up|Down))$/.test(key);
    };
    show(172, 262);
  }

  // Colours.

  function showColours(field, typed = field.value) {
    begin(field, "color", "dialog");
    const all = panel(0, 274, 168);
    const shades = (column, line) => column < 12
      ? `hsl(${column * 30} 100% ${[85, 70, 50, 35, 20][line]}%)` : `hsl(0 0% ${[100, 75, 50, 25, 0][line]}%)`;
    for (let line = 0; line < 5; line++) {
      for (let column = 0; column < 13; column++) {
        pen.fillStyle = shades(column, line);
        const colour = pen.fillStyle, rules = {...cell(8 + column * 20, 8 + line * 24, 18, 22), background: colour, border: "#999"};
        part(all, "", rules, {act: () => { close(); set(field, colour); }, name: colour});
      }
    }
    const whole = /^#[0-9a-f]{6}$/i.test(typed);
    part(all, "", {...cell(8, 134, 30, 26), border: "#999", ...(whole ? {background: typed} : {})});
    const rules = {...cell(46, 134, 110, 26), border: "#767676", centred: false, indent: 6};
    part(all, typed, rules, {act: () => {}, role: "textbox", name: "colour"});
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

  let resting = 0, titled = null;
  function untip() {
    clearTimeout(resting);
    titled = null;
    if (tip) tell("drawn", tip = null);
  }
  const titleOf = (element) => {
    if (element instanceof SVGElement) return [...element.children].find((one) => one.localName === "title")?.textContent.trim() ?? "";
    return get(element, "title");
  };
  const named = (one) => (one instanceof HTMLElement && call(one, "hasAttribute", "title")) || (one instanceof SVGElement && titleOf(one));
  function pointed(event) {
    const element = event.composedPath().find(named) ?? null;
    if (element === titled) return;
    untip();
    if (!element || !titleOf(element) || open) return;
    titled = element;
    const x = event.clientX, y = event.clientY;
    resting = later(() => {
      tip = {element, text: titleOf(element), x, y};
      tell("drawn", []);
    }, LATE);
  }
  listen("mousemove", pointed, {passive: true});
  for (const kind of ["mousedown", "keydown", "wheel", "blur"]) listen(kind, untip, {passive: true});

  function wrapped(text, room) {
    const lines = [];
    for (const paragraph of text.split("\n")) {
      let line = "";
      for (const word of paragraph.trim().split(/\s+/)) {
        const longer = line ? `${line} ${word}` : word;
        if (line && pen.measureText(longer).width > room) {
          lines.push(line);
          line = word;
        } else line = longer;
      }
      lines.push(line);
    }
    return lines.slice(0, 40);
  }
  function tooltip() {
    pen.font = SMALL;
    const lines = wrapped(tip.text.slice(0, 4000), TIP - 16), inner = Math.max(...lines.map((line) => pen.measureText(line).width));
    const width = Math.ceil(Math.min(TIP, inner + 16)), height = lines.length * 14 + 8;
    const x = Math.max(0, Math.min(tip.x, innerWidth - width)), y = tip.y + height + 24 < innerHeight ? tip.y + 20 : tip.y - height - 6;
    const parts = lines.map((text, number) => ({text, x: 0, y: 4 + number * 14, width, height: 14, indent: 8, color: "#fff", small: true}));
    const panels = [{x: -1, y: -1, width, height, top: 0, inner: 0, parts}];
    return {x, y: Math.max(0, y), width, height, panels, background: "#111", border: "#111", role: "tooltip", name: tip.text};
  }

  // What is laid over the picture of the page, and what is told of it.

  const cut = (text, room) => {
    if (pen.measureText(text).width <= room) return text;
    let length = Math.min(text.length, 500);
    while (length && pen.measureText(text.slice(0, length) + "\u2026").width > room) length--;
    return text.slice(0, length) + "\u2026";
  };
  function fill(pen, one, x, y) {
    const chosen = one.role === "option" && one.selected;
    const background = chosen ? "#1967d2" : one.background, colour = chosen ? "#fff" : one.enabled === false ? "#8a8a8a" : one.color ?? "#111";
    pen.globalAlpha = one.faded ? 0.6 : 1;
    if (background) {
      pen.fillStyle = background;
      pen.fillRect(x, y, one.width, one.height);
    }
    for (const [colour, line] of [[one.border, 1], [one.outlined && "#101010", 2]]) {
      if (!colour) continue;
      pen.strokeStyle = colour;
      pen.lineWidth = line;
      pen.strokeRect(x + line / 2, y + line / 2, one.width - line, one.height - line);
    }
    pen.font = `${one.bold ? "bold " : ""}${one.small ? SMALL : FONT}`;
    pen.fillStyle = colour;
    pen.textBaseline = "middle";
    const text = cut(one.text.trim(), one.width - (one.indent ?? 0)), across = one.centred ? (one.width - pen.measureText(text).width) / 2 : one.indent ?? 0;
    pen.fillText(text, x + across, y + one.height / 2 + 1);
  }
  function paint(drawn) {
    const canvas = new OffscreenCanvas(drawn.width, drawn.height), pen = canvas.getContext("2d");
    pen.fillStyle = drawn.background ?? "#fff";
    pen.fillRect(0, 0, drawn.width, drawn.height);
    for (const panel of drawn.panels) {
      pen.save();
      pen.beginPath();
      pen.rect(panel.x + 1, panel.y + 1, panel.width, panel.height);
      pen.clip();
      for (const one of shown(panel)) fill(pen, one, panel.x + 1 + one.x, panel.y + 1 + one.y - panel.top);
      pen.globalAlpha = 1;
      if (panel.inner > panel.height) {
        const size = Math.max(16, panel.height ** 2 / panel.inner), at = panel.top / (panel.inner - panel.height) * (panel.height - size);
        pen.fillStyle = "#00000055";
        pen.fillRect(panel.x + panel.width - BAR + 5, panel.y + 1 + at, 6, size);
      }
      pen.restore();
    }
    pen.strokeStyle = drawn.border ?? "#767676";
    pen.lineWidth = 1;
    pen.strokeRect(0.5, 0.5, drawn.width - 1, drawn.height - 1);
    return canvas;
  }
  const shown = (panel) => panel.parts.filter((one) => one.y + one.height > panel.top && one.y < panel.top + panel.height);
  const node = (panel, one) => [
    one.role || "text", (one.name ?? one.text).trim(), one.role === "textbox" ? one.text : "",
    [...(one.enabled === false ? ["disabled"] : []), ...(one.selected ? ["selected"] : [])],
    [panel.x + 1 + one.x, panel.y + 1 + one.y - panel.top, one.width, one.height],
  ];
  const current = () => tidy() ? {...corner(), ...open, name: open.field.ariaLabel ?? ""} : tip ? tooltip() : null;
  const urlOf = (blob) => new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = failed;
    reader.readAsDataURL(blob);
  });
  async function look() {
    if (open?.stale?.()) showSelect(open.field);
    const drawn = current();
    if (!drawn) return null;
    const nodes = drawn.role === "tooltip" ? [] : drawn.panels.flatMap((panel) => shown(panel).map((one) => node(panel, one)));
    const {x, y, width, height, role, name} = drawn, field = open && call(open.field, "getBoundingClientRect").toJSON();
    return {x, y, width, height, role, name, nodes, field, screen: innerWidth, picture: await urlOf(await paint(drawn).convertToBlob())};
  }

  const SHOW = {select: showSelect, list: showSuggestions, time: showTime, color: showColours};
  const showFor = (field, kind = kindOf(field)) => (SHOW[kind] ?? showDates)(field);

  // Input. The mouse on a popup never reaches the page: the driver brings it here.

  let dragged = null, swallowing = false;
  function mouse(kind, x, y, button, by) {
    if (!tidy()) return false;
    const {x: left, y: top, width, height} = {...corner(), width: open.width, height: open.height};
    const across = x - left - 1, down = y - top - 1;
    const panel = open.panels.find((one) => across >= one.x && across < one.x + one.width) ?? open.panels[0];
    if (!dragged && !(x >= left && x < left + width && y >= top && y < top + height)) return false;
    const row = panel.parts.find((one) => across >= panel.x + one.x && across < panel.x + one.x + one.width
      && down + panel.top >= one.y && down + panel.top < one.y + one.height);
    const bar = panel.inner > panel.height && across >= panel.x + panel.width - BAR;
    if (kind === "wheel") scroll(panel, panel.top + by * NOTCH);
    else if (kind === "down" && bar && button === "left") dragged = panel;
    else if (kind === "move" && !dragged && row?.enabled && open.role === "listbox") highlight(row.index, false);
    if (dragged) scroll(dragged, down / dragged.height * dragged.inner - dragged.height / 2);
    else if (/^(up|release)$/.test(kind) && button === "left" && row?.act) row.act();
    if (kind === "up") dragged = null;
    if (kind === "release") swallowing = true;  // it was pressed on the page, which gets no click on what the list covers
    return true;
  }
  for (const kind of ["pointerup", "mouseup", "click"]) {
    listen(kind, (event) => {
      if (swallowing && event.isTrusted) event.stopImmediatePropagation();
      if (kind === "click") swallowing = false;
    });
  }
  globalThis.drawn = {look, mouse: safely(mouse)};

  const stop = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  // The page's own handlers see an event first and may forbid the popup.
  const afterPage = (event, act) => window.addEventListener(event.type, safely((same) => {
    if (same !== event || same.defaultPrevented) return;
    same.preventDefault();
    act();
  }), {once: true});
  const atArrow = (field, event) => {
    const box = call(field, "getBoundingClientRect"), rtl = getComputedStyle(field).direction === "rtl";
    return event.detail > 0 && (rtl ? event.clientX - box.left : box.right - event.clientX) < ARROW;
  };
  let toggled = null, focused = null;  // the field whose popup a press has closed; whether it had the focus before

  function pressed(event) {
    const field = before(event);
    swallowing = false;
    if (event.currentTarget === window) {
      toggled = tidy()?.field;
      close();
    }
    focused = field instanceof Node && get(call(field, "getRootNode"), "activeElement") === field;
    if (event.button !== 0) return;
    const select = field instanceof Element ? call(field, "closest", "select") : null;
    if (!select || kindOf(select) !== "select") return;
    const again = toggled === select;
    afterPage(event, () => {
      select.focus({preventScroll: true});  // as a press does; scrolling would close the list
      if (!again && kindOf(select) === "select") showSelect(select);
    });
  }
  function clicked(event) {
    const field = before(event), kind = event.isTrusted || event.detail === 0 ? kindOf(field) : null;
    if (!kind || kind === "select" || (DATES.test(kind) && !atArrow(field, event))) return;
    if (kind === "list" && !focused && !atArrow(field, event)) return;
    const again = toggled === field;
    afterPage(event, () => { if (!again && kindOf(field) === kind) showFor(field, kind); });
  }
  function typed(event) {
    const {key, altKey} = event, field = before(event);
    if (!tidy()) {
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
  function watch(target) {
    listen("mousedown", pressed, {target});
    listen("click", clicked, {target});
    listen("keydown", typed, {target});
  }
  watch(window);
  handed("root", watch);
  handed("picker", (field) => {
    const kind = navigator.userActivation.isActive && kindOf(field);
    if (kind) showFor(field, kind);
    return kind;
  });
  listen("input", (event) => {
    const field = before(event);
    if (event.isTrusted && kindOf(field) === "list") showSuggestions(field);
  });
  listen("blur", (event) => { if (event.target === window) close(); });
  for (const kind of ["scroll", "pagehide"]) listen(kind, close, {passive: true});
}
