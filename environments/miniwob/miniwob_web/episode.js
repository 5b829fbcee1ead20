// The probe of MiniWoB++'s pages: starts the one episode by itself, and reports its start and end. It waits for the page's
// own core.js, which ends with its settings: `seed` is the page's; an episode that is `over` is only its page once more.
(report) => {
  const element = document.createElement.bind(document);
  const cover = () => {
    const shown = document.body.appendChild(element("div"));
    shown.textContent = "This task has ended.";
    shown.style.cssText = "position:fixed;inset:0;z-index:2147483647;display:grid;place-items:center;"
      + "background:#eee;color:#333;font:14px Arial,sans-serif";
  };
  // A picture that a rule shows under the pointer is fetched before: without it an icon has no size while it is pressed.
  const kept = [];
  const fetchPictures = () => {
    for (const rule of [...document.querySelectorAll("style")].flatMap(({sheet}) => [...sheet.cssRules])) {
      for (const [, url] of rule.cssText.matchAll(/url\("([^"]+)"\)/g)) {
        kept.push(Object.assign(new Image(), {src: url}));
      }
    }
  };

  const begin = (core, {seed, over}) => {
    let running = false;
    // A person's display of reward and time, and the trace of clicks.
    for (const name of ["createDisplay", "countdownTimer", "clearTimer", "updateDisplay", "canvasClear"]) {
      core[name] = () => {};
    }
    core.startEpisode = () => {
      if (running || over) {
        cover();
        return;
      }
      running = true;
      fetchPictures();
      core.cover_div = element("div");
      core.EPISODE_MAX_TIME = 2 ** 31 - 1;  // the episode's own budget decides
      Math.seedrandom(seed);
      core.startEpisodeReal();
      const said = core.getUtterance();
      report(typeof said === "string" ? {utterance: said} : {utterance: said.utterance, fields: said.fields});
    };
    core.endEpisode = (reward, proportional, reason) => {
      if (!running || over) return;
      over = true;
      clearTimeout(core.EP_TIMER);
      report({reward: Number.isFinite(reward) ? reward : 0, reason: reason === undefined ? null : String(reason)});
      cover();
    };
    Math.seedrandom(seed);
  };

  Object.defineProperty(window, "core", {configurable: true, set(core) {
    Object.defineProperty(window, "core", {value: core, configurable: true, enumerable: true, writable: true});
    Object.defineProperty(core, "settings", {configurable: true, set(settings) {
      delete core.settings;
      begin(core, settings);
    }});
  }});
}
