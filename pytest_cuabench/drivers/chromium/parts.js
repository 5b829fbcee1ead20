// Reports input that the page leaves to the browser, and does here what the browser would do.
(() => {
  const KEY = Symbol.for("screen.parts"), CHORDS = {CHORDS}, WINDOW = {WINDOW};
  const report = window.screenPart;
  delete window.screenPart;
  if (!report || window[KEY] || !shared.replace) return;  // the empty document that a new tab begins with may have no `screenPart` yet
  Object.defineProperty(window, KEY, {value: true});

  const later = window.setTimeout.bind(window), {apply} = Reflect;
  const MEDIA = {__proto__: null, camera: "video", microphone: "audio"}, granted = {__proto__: null};
  for (const name of {GRANTED}) granted[name] = true;
  // When all handlers have run: what the page has prevented is the page's own.
  const unless = (kind, act) => window.addEventListener(kind, (event) => {
    if (event.isTrusted) later(() => { if (!event.defaultPrevented) act(event); }, 0);
  }, {capture: true, passive: true});

  const held = {Control: "ctrl", Alt: "alt", Shift: "shift", Meta: "meta"};
  const chord = (event) => [
    ...Object.keys(held).filter((name) => event.getModifierState(name)).map((name) => held[name]), event.key.toLowerCase().replace("arrow", ""),
  ].join("+");
  unless("keydown", (event) => {
    const pressed = chord(event), part = CHORDS[pressed];
    if (pressed === "ctrl+u" && event.target.isContentEditable) return;  // it underlines
    if (part) report(part);
  });
  unless("contextmenu", () => report("context menu"));
  unless("wheel", (event) => { if (event.ctrlKey) report("zoom"); });

  // The scripts of this browser do not run in a frame that runs none.
  window.addEventListener("blur", () => later(() => {
    const frame = document.activeElement;
    const silent = frame instanceof HTMLIFrameElement && frame.hasAttribute("sandbox") && !frame.sandbox.contains("allow-scripts");
    if (silent) report("sandboxed frame");
  }, 0));

  shared.replace(window, "print", () => { report("print"); });
  for (const name of ["showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker"]) {
    if (typeof window[name] === "function") shared.replace(window, name, async () => {
      report("file picker");
      throw new DOMException("The user aborted a request.", "AbortError");
    });
  }

  // Permissions that are refused without a prompt.
  const asks = (owner, name, ...permissions) => {
    if (typeof owner?.[name] !== "function") return;
    shared.replace(owner, name, (original, self, given) => {
      for (let index = 0; index < permissions.length; index++) {
        const permission = permissions[index], wanted = name !== "getUserMedia" || given[0]?.[MEDIA[permission]];
        if (wanted && !granted[permission]) report(`permission ${permission}`);
      }
      return apply(original, self, given);
    });
  };
  asks(window.Geolocation?.prototype, "getCurrentPosition", "geolocation");
  asks(window.Geolocation?.prototype, "watchPosition", "geolocation");
  asks(window.Notification, "requestPermission", "notifications");
  asks(window.MediaDevices?.prototype, "getUserMedia", "camera", "microphone");
  for (const name of ["read", "readText"]) asks(window.Clipboard?.prototype, name, "clipboard-read");

  if (WINDOW) return;
  // A pointer that is locked has no place on this screen, and keys would wait for it.
  const fire = EventTarget.prototype.dispatchEvent, Happening = Event;
  shared.replace(Element.prototype, "requestPointerLock", async () => {
    report("pointer lock");
    later(() => apply(fire, document, [new Happening("pointerlockerror", {bubbles: true})]), 0);
    throw new DOMException("Pointer lock is not available.", "NotSupportedError");
  });
  window.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.isTrusted || !document.fullscreenElement) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.exitFullscreen();
  }, true);
})();
