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
  const {apply, set: assign} = Reflect, Vow = Promise, Told = CustomEvent, parse = JSON.parse, stringify = JSON.stringify;
  const {defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, hasOwn, prototype: top} = Object;
  const methods = (object) => {
    const found = {__proto__: null};
    for (let proto = getPrototypeOf(object); proto !== top; proto = getPrototypeOf(proto)) {
      for (const name of getOwnPropertyNames(proto)) {
        const {value} = getOwnPropertyDescriptor(proto, name);
        if (typeof value === "function" && !(name in found)) found[name] = value;
      }
    }
    return found;
  };
  const keep = (object, found = methods(object)) => {
    for (const name in found) if (!hasOwn(object, name)) defineProperty(object, name, {__proto__: null, value: found[name]});
    return object;
  };
  const getter = (owner, name) => getOwnPropertyDescriptor(owner, name).get;
  const detailOf = getter(CustomEvent.prototype, "detail");
  const {stopImmediatePropagation: stop, preventDefault: take} = Event.prototype;
  const {addEventListener: listen, dispatchEvent: dispatch} = EventTarget.prototype;
  const {toString: textOf} = Function.prototype, {slice, indexOf} = String.prototype, {max, min} = Math;
  const Shadow = WeakRef, {deref} = WeakRef.prototype, Finger = Touch, Touched = TouchEvent, {iterator} = Symbol, Refusal = DOMException;
  // By the browser's own members: names of elements hide those of a document and of a form, and variables a window's.
  const member = (owner, name) => {
    const read = getter(owner, name);
    return (one) => apply(read, one, []);
  };
  const method = (owner, name) => {
    const work = owner[name];
    return (one) => apply(work, one, []);
  };
  const readyState = member(Document.prototype, "readyState"), lengthOf = member(window, "length");
  const complete = () => readyState(document) === "complete";
  const pathOf = method(Event.prototype, "composedPath"), prevented = member(Event.prototype, "defaultPrevented");
  const moved = [method(Document.prototype, "getAnimations"), method(ShadowRoot.prototype, "getAnimations")];
  const playing = member(Animation.prototype, "playState"), effectOf = member(Animation.prototype, "effect");
  const timingOf = method(AnimationEffect.prototype, "getComputedTiming"), timeOf = member(Animation.prototype, "currentTime");
  const typeOf = member(HTMLInputElement.prototype, "type"), disabled = member(HTMLInputElement.prototype, "disabled");
  const connected = member(Node.prototype, "isConnected");
  const isInput = (one) => { try { return !!typeOf(one); } catch (other) { return false; } };
  const activation = navigator.userActivation, active = member(UserActivation.prototype, "isActive");
  // Lists without a prototype, which a page may have changed.
  const list = () => ({__proto__: null, length: 0});
  const put = (all, one) => { all[all.length++] = one; };
  const each = (all, work) => { for (let index = 0; index < all.length; index++) work(all[index]); };
  const any = (all, test) => {
    for (let index = 0; index < all.length; index++) if (test(all[index])) return true;
    return false;
  };
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
    const own = getOwnPropertyDescriptor(owner, name), original = own.value;
    const value = new Proxy(original, {__proto__: null, apply: (_, self, given) => {
      try {
        return work(original, self, given);
      } catch (error) {
        throw unseen(error);
      }
    }});
    texts.set(value, texts.get(original) ?? apply(textOf, original, []));
    defineProperty(owner, name, {__proto__: null, ...own, value});
  };
  // What is thrown is the browser's own: without the calls of this script.
  const unseen = (error) => {
    const stack = error?.stack;
    if (typeof stack !== "string" || !hasOwn(error, "stack")) return error;
    let kept = "";
    for (let from = 0; from <= stack.length;) {
      const found = apply(indexOf, stack, ["\n", from]), end = found < 0 ? stack.length : found;
      const line = apply(slice, stack, [from, end]);
      if (apply(indexOf, line, ["SOURCE"]) < 0) kept += kept ? `\n${line}` : line;
      from = end + 1;
    }
    assign(error, "stack", kept);
    return error;
  };
  // To the scripts beside the page, by events that they alone hear: texts, which are sent again until they are heard, and
  // nodes, which other events do not bring there out of a closed shadow root.
  const channel = (name) => {
    let waiting = list(), first = 0;
    const send = () => {
      const event = () => new Told(name, {__proto__: null, cancelable: true, detail: waiting[first]});
      while (first < waiting.length && !apply(dispatch, window, [event()])) delete waiting[first++];
      if (first < waiting.length) return later(send, 20);
      waiting = list();
      first = 0;
    };
    return (text) => {
      put(waiting, text);
      if (waiting.length - first === 1) send();
    };
  };
  const only = (one) => ({__proto__: null, [iterator]: () => {
    let done = true;
    return {__proto__: null, next: () => ({__proto__: null, done: done = !done, value: one})};
  }});
  const hand = (name, node) => {
    try {
      const touches = only(new Finger({__proto__: null, identifier: 0, target: node}));
      return !apply(dispatch, window, [new Touched(name, {__proto__: null, cancelable: true, touches})]);
    } catch (other) {  // it is no node
      return false;
    }
  };
  const refused = (sentence, name) => new Vow((_, no) => no(unseen(new Refusal(sentence, name))));
  Object.assign(shared, {apply, channel, hand, refused, replace});
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
    roots.add(new Shadow(root));
    return root;
  });
  apply(listen, window, ["scroll", change, {capture: true, passive: true}]);
  // A tab that a page opens keeps the window of its empty document, whose listeners get no input in a page without any.
  apply(listen, window, ["load", () => apply(listen, window, ["keydown", () => {}, true]), {once: true}]);

  // The browser reports a file dialog slightly later than the page requests it.
  let choosing = false, deciding = 0;
  const can = (input) => isInput(input) && typeOf(input) === "file" && !disabled(input)
    && active(activation);  // opening the dialog consumes the activation, so check before
  apply(listen, window, ["click", (event) => {
    if (!can(pathOf(event)[0])) return;
    deciding++;
    later(() => { deciding--; choosing ||= !prevented(event); }, 0);
  }, true]);
  for (const [owner, name] of [[HTMLElement, "click"], [HTMLInputElement, "showPicker"]]) {
    replace(owner.prototype, name, (original, self, given) => {
      choosing ||= can(self) && (!connected(self) || name === "showPicker");
      return apply(original, self, given);
    });
  }

  // Like a browser with a window, block mass-opened windows.
  let opened = list();
  replace(window, "open", (original, self, given) => {
    const recent = list();
    each(opened, (time) => { if (now() - time <= 1000) put(recent, time); });
    opened = recent;
    if (opened.length >= WINDOWS) return null;
    put(opened, now());
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
      kinds.set(name, kind = {name, most, alone: 0, deaf: 0, at: time, tired: false, begun: list(), last: null});
    }
    if (time - kind.at > STALE) {
      kind.alone = 0;
      kind.tired = false;
    }
    kind.at = time;
    if (kind.begun.length < ALONE) put(kind.begun, time);
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
    return max(1, +value || 0);
  };
  const timer = (repeats) => (original, self, given) => {
    const id = apply(original, self, given), delay = milliseconds(given[1]);
    // What repeats from the load on is background.
    if (delay <= LATE && !(repeats && !complete())) {
      const loading = !complete();
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
      if (!complete()) kind.alone = ALONE;
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
  const lettersOf = (text) => {  // without numbers
    let found = "";
    for (let index = 0; index < text.length && index < 400; index++) {
      if (text[index] < "0" || text[index] > "9") found += text[index];
    }
    return found;
  };
  const expect = (sort, text, limit) => {
    const id = `${sort}${asked++}`;
    add(id, kindOf(named(sort, typeof text === "string" ? lettersOf(text) : "", 0), CHAIN), limit);
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
  const ENDS = ["success", "complete", "error", "abort"];
  const stored = (original, self, given) => {
    const target = apply(original, self, given), id = expect("store", given[0], PATIENCE);
    const end = () => {
      answered(id);
      change();
    };
    each(ENDS, (name) => apply(listen, target, [name, end]));
    return target;
  };
  replace(IDBFactory.prototype, "open", stored);
  replace(IDBDatabase.prototype, "transaction", stored);

  const finite = (animation) => {
    const effect = effectOf(animation);
    if (playing(animation) !== "running" || !effect) return false;
    const left = +timingOf(effect).endTime - +timeOf(animation);
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
        each(kind.begun, (at) => { if (at < since) kind.alone++; });
        kind.begun = list();
        kind.last = null;
      });
    },
    loading: () => deciding > 0 || !complete(),
    moving() {
      let found = any(moved[0](document), finite);
      roots.forEach((one) => {
        const root = apply(deref, one, []);
        if (!root) roots.delete(one);
        else found ||= any(moved[1](root), finite);
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
        if (foreground(work)) next = min(next ?? MOST, work.listening ? 0 : max(0, work.due - time));
      });
      return next;
    },
    rested() {
      const repeating = list();
      kinds.forEach((kind) => {
        kind.begun = list();
        if (kind.loading && (kind.repeats || kind.tired)) put(repeating, kind.name);
      });
      return repeating;
    },
    weary() {
      restless = true;
      due.forEach((work) => {
        if (foreground(work)) each([work.kind, work.same], (kind) => { if (kind) kind.tired = true; });
      });
    },
    chose() {
      const chosen = choosing;
      choosing = false;
      return chosen;
    },
  };
  const all = () => {
    const pages = list();
    let foreign = 0;
    put(pages, own);
    const visit = (view, count) => {
      for (let index = 0; index < count; index++) {
        const inside = view[index];
        let below = 0;
        try {
          const inner = ask(inside);
          if (inner) put(pages, inner);
          below = lengthOf(inside);
        } catch (unreachable) {  // of another origin: it has to be asked by itself
          foreign++;
          below = inside.length;  // which nobody changes from here
        }
        visit(inside, below);
      }
    };
    visit(window, lengthOf(window));
    return {__proto__: null, pages, foreign};
  };
  // A tab in the background paints no frames, so a timer is used instead.
  const promised = methods(new Vow(() => {}));
  const vow = (work) => keep(new Vow(work), promised);
  const painted = () => vow((done) => {
    const timer = later(done, 100);
    frame(() => { forget(timer); done(); });
  });
  const idled = () => vow((done) => { idle(done, {timeout: SOON}); });
  const asleep = (delay) => vow((done) => { later(done, delay); });
  const quiet = async (limit, began, repeating) => {
    const start = now();
    let last = start, owed = false;
    each(all().pages, (page) => page.begin(began, repeating));
    await painted();
    await painted();
    while (now() - start < limit) {
      const {pages} = all();
      each(pages, (page) => page.begin(began, repeating));
      let wait = null;
      each(pages, (page) => {
        const next = page.next();
        if (next !== null) wait = min(next, wait ?? next);
      });
      if (any(pages, (page) => page.loading() || page.moving())) last = now();
      else if (now() - last > PATIENCE) {
        each(pages, (page) => { if (page.busy() || wait !== null) page.weary(); });
        return true;
      } else if (wait !== null) {
        owed = true;
        if (wait > 2 * QUIET) await asleep(min(wait - QUIET, SOON));  // the page may cancel it
      } else if (owed) {
        owed = false;
        await asleep(1);  // after all timers that were due before it, also where the page was too busy for them
        await idled();
      } else if (!any(pages, (page) => page.busy())) return true;
      await painted();
    }
    return false;
  };
  const answer = async ({limit, began, known, reply}) => {
    const names = {__proto__: null};
    each(known, (name) => { names[name] = true; });
    const rested = await keep(quiet(limit, began, names), promised), {pages, foreign} = all();
    const repeating = {__proto__: null};
    let chooser = false;
    each(pages, (page) => {
      each(page.rested(), (name) => { repeating[name] = true; });
      chooser = page.chose() || chooser;
    });
    chooser &&= rested;
    apply(dispatch, window, [new Told(reply, {detail: stringify({__proto__: null, rested, chooser, foreign, repeating})})]);
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
