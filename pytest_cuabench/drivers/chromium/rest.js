// Runs first in every document: records when the page last changed, and can wait until it has settled.
(() => {
  const KEY = Symbol.for("screen.rest");
  if (window[KEY]) return;
  const QUIET = 16;        // ms without a change: one frame
  const GAP = 250;         // ms without a change after which a busy page counts as settled again
  const PATIENCE = 600;    // ms to wait for a page that only moves by itself
  const SOON = 100;        // ms: timers this short belong to the action that set them
  const CHAIN = 5;         // timers set by timers, counted this deep
  const WINDOWS = 5;       // that a script may open within a second
  const now = performance.now.bind(performance);
  const later = window.setTimeout.bind(window), forget = window.clearTimeout.bind(window);
  const frame = window.requestAnimationFrame.bind(window);
  let changed = -1e9, emptied = now(), restless = false, depth = 0;
  const timers = new Set();

  const change = () => {
    const time = now();
    if (time - changed > GAP) restless = false;
    changed = time;
  };
  new MutationObserver(change).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  window.addEventListener("scroll", change, {capture: true, passive: true});

  // The browser reports a file dialog slightly later than the page requests it.
  let choosing = false, deciding = 0;
  const can = (input) => input instanceof HTMLInputElement && input.type === "file" && !input.disabled
    && navigator.userActivation.isActive;  // opening the dialog consumes the activation, so check before
  window.addEventListener("click", (event) => {
    if (!can(event.composedPath()[0])) return;
    deciding++;
    later(() => { deciding--; choosing ||= !event.defaultPrevented; }, 0);
  }, true);
  for (const name of ["click", "showPicker"]) {
    const original = HTMLInputElement.prototype[name];
    HTMLInputElement.prototype[name] = {[name](...given) {
      choosing ||= can(this) && (!this.isConnected || name === "showPicker");
      return original.apply(this, given);
    }}[name];
  }

  // Like a browser with a window, block mass-opened windows.
  const opened = [], open = window.open;
  window.open = {open(...given) {
    while (opened.length && now() - opened[0] > 1000) opened.shift();
    if (opened.length >= WINDOWS) return null;
    opened.push(now());
    return open.apply(window, given);
  }}.open;

  const drop = (id) => {
    if (timers.delete(id) && !timers.size) emptied = now();
  };
  window.setTimeout = function setTimeout(work, delay, ...rest) {
    if (typeof work !== "function" || +delay > SOON || depth >= CHAIN) return later(work, delay, ...rest);
    const level = depth + 1;
    const id = later((...given) => {
      const before = depth;
      depth = level;
      try {
        return work.apply(window, given);
      } finally {
        depth = before;
        drop(id);
      }
    }, delay, ...rest);
    if (!timers.size && now() - emptied > GAP) restless = false;
    timers.add(id);
    return id;
  };
  window.clearTimeout = function clearTimeout(id) {
    drop(id);
    return forget(id);
  };

  const finite = (animation) => {
    if (animation.playState !== "running" || !animation.effect) return false;
    const timing = animation.effect.getComputedTiming();
    const left = Number(timing.endTime) - Number(animation.currentTime);
    return left > 0 && left < 2000;  // an endless one is decoration; NaN is driven by scrolling
  };
  const own = {
    loading: () => deciding > 0 || document.readyState !== "complete",
    moving: () => document.getAnimations().some(finite),
    busy: () => !restless && (timers.size > 0 || now() - changed < QUIET),
    weary: () => { restless = true; },
    chose: () => {
      const chosen = choosing;
      choosing = false;
      return chosen;
    },
  };
  const all = () => {
    const found = [own];
    const visit = (view) => {
      for (let index = 0; index < view.length; index++) {
        try {
          const inner = view[index][KEY];
          if (inner) found.push(inner);
          visit(view[index]);
        } catch (foreign) { /* a frame of another origin cannot be asked */ }
      }
    };
    visit(window);
    return found;
  };
  // A tab in the background paints no frames, so a timer is used instead.
  const painted = () => new Promise((done) => {
    const timer = later(done, 100);
    frame(() => { forget(timer); done(); });
  });
  own.rest = async (limit) => {
    const rested = await quiet(limit);
    return rested && all().some((page) => page.chose()) ? "chooser" : rested;
  };
  const quiet = async (limit) => {
    const start = now();
    let since = start;
    await painted();
    await painted();
    while (now() - start < limit) {
      const pages = all();
      if (pages.some((page) => page.loading() || page.moving())) since = now();
      else if (!pages.some((page) => page.busy())) return true;
      else if (now() - since > PATIENCE) {
        for (const page of pages) if (page.busy()) page.weary();
        return true;
      }
      await painted();
    }
    return false;
  };
  Object.defineProperty(window, KEY, {value: own});
})();
