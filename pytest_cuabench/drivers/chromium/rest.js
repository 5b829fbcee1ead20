// Runs first in every document. Knows when the page last changed and what it still has to do, and waits until it rests.
// What it replaces looks and works like the browser's own; it is asked by an event whose name no page knows.
(() => {
  const ASK = "SECRET";    // replaced by the session
  const QUIET = 16;        // ms without a change: one frame
  const GAP = 250;         // ms without a change after which a busy page counts as settled again
  const PATIENCE = 600;    // ms to wait for a page that only moves by itself
  const LATE = 500;        // ms: timers up to this long belong to the action that set them
  const SOON = 100;        // ms: of these, CHAIN may follow each other; of longer ones, two
  const CHAIN = 5;
  const FRAMES = 12;       // that a loop of frames may take
  const ANSWER = 500;      // ms for a worker to answer
  const ALONE = 2;         // times that something began without an action, after which it is background
  const STALE = 2000;      // ms without it, after which it is no longer background
  const MOST = 1000;       // kinds of timers that are remembered
  const WINDOWS = 5;       // that a script may open within a second

  // A page may replace the browser's functions later: these are kept, as members of what is made before its scripts run.
  const {apply} = Reflect, Vow = Promise, Told = CustomEvent, parse = JSON.parse, stringify = JSON.stringify;
  const keep = (object) => {
    for (let proto = Object.getPrototypeOf(object); proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
      for (const name of Object.getOwnPropertyNames(proto)) {
        const {value} = Object.getOwnPropertyDescriptor(proto, name);
        if (typeof value === "function" && !Object.hasOwn(object, name)) {
          Object.defineProperty(object, name, {value});
        }
      }
    }
    return object;
  };
  const getter = (owner, name) => Object.getOwnPropertyDescriptor(owner, name).get;
  const detailOf = getter(CustomEvent.prototype, "detail");
  const {stopImmediatePropagation: stop, preventDefault: take} = Event.prototype;
  const {addEventListener: listen, dispatchEvent: dispatch} = EventTarget.prototype;
  const {toString: textOf} = Function.prototype, {slice, replace: replaced} = String.prototype;
  const {hasOwn} = Object, {random, min, max} = Math, Shadow = WeakRef, {deref} = WeakRef.prototype;
  // Names of elements hide a document's members, and variables a window's.
  const readyState = getter(Document.prototype, "readyState"), animations = Document.prototype.getAnimations;
  const shadowAnimations = ShadowRoot.prototype.getAnimations, lengthOf = getter(window, "length");
  const complete = () => apply(readyState, document, []) === "complete";
  const now = performance.now.bind(performance), epoch = performance.timeOrigin;
  const later = window.setTimeout.bind(window), forget = window.clearTimeout.bind(window);
  const frame = window.requestAnimationFrame.bind(window), idle = window.requestIdleCallback.bind(window);

  const ask = (view) => {
    const found = {own: null};
    apply(dispatch, view, [new Told(ASK, {detail: found})]);
    return found.own;
  };
  if (ask(window)) return;

  // Replaced functions.

  const relative = (() => {
    for (const view of [window.parent, window.opener]) {
      try {
        const found = view && view !== window && ask(view);
        if (found) return found;
      } catch (foreign) { /* another origin has its own */ }
    }
  })();
  const texts = relative ? relative.texts : keep(new WeakMap());  // of replaced functions, as the browser's own have them
  const replace = (owner, name, work) => {
    const own = Object.getOwnPropertyDescriptor(owner, name), original = own.value;
    const value = new Proxy(original, {apply: (_, self, given) => work(original, self, given)});
    texts.set(value, texts.get(original) ?? apply(textOf, original, []));
    Object.defineProperty(owner, name, {...own, value});
  };
  shared.replace = replace;
  replace(Function.prototype, "toString", (original, self, given) => texts.get(self) ?? apply(original, self, given));

  // Changes.

  let changed = -1e9, restless = false;
  const change = () => {
    const time = now();
    if (time - changed > GAP) restless = false;
    changed = time;
  };
  const observer = keep(new MutationObserver(change));
  const observe = (root) => observer.observe(root, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  let observed = document;
  observe(document);
  const roots = keep(new Set());  // shadow roots, whose changes and transitions a document does not tell
  replace(Element.prototype, "attachShadow", (original, self, given) => {
    const root = apply(original, self, given);
    observe(root);
    roots.add(new WeakRef(root));
    return root;
  });
  apply(listen, window, ["scroll", change, {capture: true, passive: true}]);
  // A tab that a page opens keeps the window of its empty document, whose listeners get no input in a page without any.
  apply(listen, window, ["load", () => apply(listen, window, ["keydown", () => {}, true]), {once: true}]);

  // The browser reports a file dialog slightly later than the page requests it.
  let choosing = false, deciding = 0;
  const can = (input) => input instanceof HTMLInputElement && input.type === "file" && !input.disabled
    && navigator.userActivation.isActive;  // opening the dialog consumes the activation, so check before
  apply(listen, window, ["click", (event) => {
    if (!can(event.composedPath()[0])) return;
    deciding++;
    later(() => { deciding--; choosing ||= !event.defaultPrevented; }, 0);
  }, true]);
  for (const [owner, name] of [[HTMLElement, "click"], [HTMLInputElement, "showPicker"]]) {
    replace(owner.prototype, name, (original, self, given) => {
      choosing ||= can(self) && (!self.isConnected || name === "showPicker");
      return apply(original, self, given);
    });
  }

  // Like a browser with a window, block mass-opened windows.
  const opened = [];
  replace(window, "open", (original, self, given) => {
    while (opened.length && now() - opened[0] > 1000) opened.shift();
    if (opened.length >= WINDOWS) return null;
    opened.push(now());
    return apply(original, self, given);
  });

  // Work that is due: timers, frames, idle callbacks, answers of workers. Each is of a kind: the same text of a function
  // with the same delay, or the same function once more. A kind that began without an action is background and is not
  // waited for.

  const due = keep(new Map());    // id -> work
  const kinds = keep(new Map());  // name -> kind
  let since = 0;                  // when the last action began
  let known = {};                 // names of kinds that repeat by themselves from the load of a page on
  const kindOf = (name, most) => {
    const time = now();
    let kind = kinds.get(name);
    if (!kind) {
      if (kinds.size >= MOST) kinds.clear();
      kinds.set(name, kind = {name, most, alone: 0, deaf: 0, at: time, tired: false, begun: [], last: null});
    }
    if (time - kind.at > STALE) [kind.alone, kind.tired] = [0, false];
    kind.at = time;
    if (kind.begun.length < ALONE) kind.begun[kind.begun.length] = time;
    return kind;
  };
  const add = (id, kind, delay, same = null) => {
    const {last, at} = kind;
    const turn = last ? last.turn + (last.due <= at + 1) : 1;  // again after it was due, not beside it
    kind.repeats ||= turn > kind.most;
    due.set(id, kind.last = {kind, same, at, turn, due: at + delay});
    if (due.size > MOST) prune();
  };
  const prune = () => {
    const time = now() - QUIET;
    due.forEach((work, id) => {
      if (work.due > time) return;
      due.delete(id);
      if (work.listening) work.kind.deaf++;
    });
  };
  const background = (kind) =>
    kind.tired || kind.alone >= ALONE || kind.deaf >= ALONE || (kind.loading && kind.name in known);
  const foreground = ({kind, same, at, turn}) =>
    at >= since && turn <= kind.most && !background(kind) && !(same && background(same));
  const drop = (id) => {
    const work = due.get(id);
    if (!work) return;
    due.delete(id);
    if (work.kind.last === work) work.kind.last = null;
  };
  const named = (sort, work, delay) => {
    const text = typeof work === "function" ? apply(textOf, work, []) : typeof work === "string" ? work : "";
    return `${sort} ${delay} ${text.length} ${apply(slice, text, [0, 200])}`;
  };
  const used = keep(new WeakMap());  // functions, numbered
  let functions = 0;
  const again = (work) => {
    if (typeof work !== "function") return null;
    if (used.has(work)) return kindOf(`same ${used.get(work)}`, CHAIN);
    used.set(work, functions++);
    return null;
  };
  const milliseconds = (value) => {
    if (value !== undefined && typeof value !== "number" && typeof value !== "string") return Infinity;
    return Math.max(1, Number(value) || 0);
  };
  const timer = (repeats) => (original, self, given) => {
    const id = apply(original, self, given), delay = milliseconds(given[1]);
    // What repeats from the load on is background.
    if (delay <= LATE && !(repeats && document.readyState !== "complete")) {
      const loading = document.readyState !== "complete";
      const most = delay <= SOON && !repeats ? CHAIN : repeats || loading ? 1 : 2;
      const kind = kindOf(named(repeats ? "every" : "in", given[0], delay), most);
      kind.loading ||= loading;
      add(id, kind, delay, again(given[0]));
    }
    return id;
  };
  const clear = (original, self, given) => {
    drop(given[0]);
    return apply(original, self, given);
  };
  replace(window, "setTimeout", timer(false));
  replace(window, "setInterval", timer(true));
  for (const name of ["clearTimeout", "clearInterval"]) replace(window, name, clear);
  const framed = (sort, name, most) => {
    replace(window, `request${name}`, (original, self, given) => {
      const id = apply(original, self, given);
      const kind = kindOf(named(sort, given[0], 0), most);
      if (document.readyState !== "complete") kind.alone = ALONE;
      else add(`${sort}${id}`, kind, 1);
      return id;
    });
    replace(window, `cancel${name}`, (original, self, given) => {
      drop(`${sort}${given[0]}`);
      return apply(original, self, given);
    });
  };
  framed("frame", "AnimationFrame", FRAMES);
  framed("idle", "IdleCallback", CHAIN);

  // Work that ends with an event. One sort that is never answered is not waited for any more.
  let asked = 0;
  const expect = (sort, text, limit) => {
    const id = `${sort}${asked++}`;
    add(id, kindOf(named(sort, typeof text === "string" ? text.replace(/\d+/g, "") : "", 0), CHAIN), limit);
    due.get(id).listening = true;
    return id;
  };
  const answered = (id) => {
    const work = due.get(id);
    if (work) work.kind.deaf = 0;
    drop(id);
  };
  const posts = keep(new WeakMap());  // by worker, what it has not answered
  replace(Worker.prototype, "postMessage", (original, self, given) => {
    const result = apply(original, self, given);
    if (!posts.has(self)) {
      posts.set(self, {__proto__: null});
      apply(listen, self, ["message", () => {
        for (const id in posts.get(self)) answered(id);
        posts.set(self, {__proto__: null});
        change();
      }]);
    }
    posts.get(self)[expect("post", given[0], ANSWER)] = true;
    return result;
  });
  const stored = (original, self, given) => {
    const target = apply(original, self, given), id = expect("store", given[0], PATIENCE);
    const end = () => {
      answered(id);
      change();
    };
    for (const name of ["success", "complete", "error", "abort"]) apply(listen, target, [name, end]);
    return target;
  };
  replace(IDBFactory.prototype, "open", stored);
  replace(IDBDatabase.prototype, "transaction", stored);

  const finite = (animation) => {
    if (animation.playState !== "running" || !animation.effect) return false;
    const timing = animation.effect.getComputedTiming();
    const left = Number(timing.endTime) - Number(animation.currentTime);
    return left > 0 && left < 2000;  // an endless one is decoration; NaN is driven by scrolling
  };
  const own = {
    texts,
    begin(time, repeating) {
      known = repeating;
      if (observed !== document) observe(observed = document);
      if (time - epoch === since) return;  // the same action, asked once more
      since = time - epoch;
      kinds.forEach((kind) => {
        for (const at of kind.begun) if (at < since) kind.alone++;
        kind.begun = [];
        kind.last = null;
      });
    },
    loading: () => deciding > 0 || document.readyState !== "complete",
    moving() {
      let found = document.getAnimations().some(finite);
      roots.forEach((one) => {
        const root = one.deref();
        if (!root) roots.delete(one);
        else found ||= root.getAnimations().some(finite);
      });
      return found;
    },
    busy: () => !restless && now() - changed < QUIET,
    // Milliseconds until the next work of the action is due, or null.
    next() {
      prune();
      const time = now();
      let next = null;
      due.forEach((work) => {
        if (foreground(work)) next = Math.min(next ?? MOST, work.listening ? 0 : Math.max(0, work.due - time));
      });
      return next;
    },
    rested() {
      const repeating = [];
      kinds.forEach((kind) => {
        kind.begun = [];
        if (kind.loading && (kind.repeats || kind.tired)) repeating.push(kind.name);
      });
      return repeating;
    },
    weary() {
      restless = true;
      due.forEach((work) => {
        if (foreground(work)) for (const kind of [work.kind, work.same]) if (kind) kind.tired = true;
      });
    },
    chose() {
      const chosen = choosing;
      choosing = false;
      return chosen;
    },
  };
  const all = () => {
    const found = [own];
    let foreign = 0;
    const visit = (view) => {
      for (let index = 0; index < view.length; index++) {
        try {
          const inner = ask(view[index]);
          if (inner) found.push(inner);
        } catch (unreachable) { foreign++; }  // of another origin: it has to be asked by itself
        visit(view[index]);
      }
    };
    visit(window);
    return [found, foreign];
  };
  // A tab in the background paints no frames, so a timer is used instead.
  const painted = () => new Vow((done) => {
    const timer = later(done, 100);
    frame(() => { forget(timer); done(); });
  });
  const idled = () => new Vow((done) => { idle(done, {timeout: SOON}); });
  const asleep = (delay) => new Vow((done) => { later(done, delay); });
  const quiet = async (limit, began, repeating) => {
    const start = now();
    let last = start, owed = false;
    for (const page of all()[0]) page.begin(began, repeating);
    await painted();
    await painted();
    while (now() - start < limit) {
      const [pages] = all();
      for (const page of pages) page.begin(began, repeating);
      const waits = pages.map((page) => page.next()).filter((wait) => wait !== null);
      if (pages.some((page) => page.loading() || page.moving())) last = now();
      else if (now() - last > PATIENCE) {
        for (const page of pages) if (page.busy() || waits.length) page.weary();
        return true;
      } else if (waits.length) {
        owed = true;
        const wait = Math.min(...waits);
        if (wait > 2 * QUIET) await asleep(Math.min(wait - QUIET, SOON));  // the page may cancel it
      } else if (owed) {
        owed = false;
        await asleep(1);  // after all timers that were due before it, also where the page was too busy for them
        await idled();
      } else if (!pages.some((page) => page.busy())) return true;
      await painted();
    }
    return false;
  };
  const answer = async ({limit, began, known, reply}) => {
    const names = {__proto__: null};
    for (const name of known) names[name] = true;
    const rested = await quiet(limit, began, names), [pages, foreign] = all();
    const repeating = [].concat(...pages.map((page) => page.rested()));
    const chooser = rested && pages.map((page) => page.chose()).includes(true);
    apply(dispatch, window, [new Told(reply, {detail: stringify({rested, chooser, foreign, repeating})})]);
  };
  apply(listen, window, [ASK, (event) => {
    apply(stop, event, []);
    const asked = apply(detailOf, event, []);
    if (typeof asked !== "string") {
      asked.own = own;
      return;
    }
    apply(take, event, []);
    answer(parse(asked));
  }, true]);
})();
