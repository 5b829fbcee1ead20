// Replaces functions of the page for what this browser does not have, unseen; what they are asked is told to the scripts
// beside the page.
(() => {
  const {apply, channel, hand, refused, replace} = shared, {PERSON, WINDOW, COPIES} = SETTINGS;
  const granted = {__proto__: null}, MEDIA = {__proto__: null, camera: "video", microphone: "audio"};
  for (const name of SETTINGS.GRANTED) granted[name] = true;

  // Service workers would send requests that are not the page's: it gets what it gets where a person has forbidden them.
  if (window.ServiceWorkerContainer) {
    const sentence = "Failed to register a ServiceWorker: The user denied permission to use Service Worker.";
    replace(ServiceWorkerContainer.prototype, "register", () => refused(sentence, "NotSupportedError"));
  }
  if (COPIES) {
    const copied = channel("SECRET copied"), text = String, both = JSON.stringify;
    replace(DataTransfer.prototype, "setData", (original, self, given) => {
      const result = apply(original, self, given);
      copied(both({__proto__: null, type: text(given[0]), text: text(given[1])}));
      return result;
    });
  }
  if (PERSON) return;

  const report = channel("SECRET part");
  replace(window, "print", () => { report("print"); });
  for (const name of ["showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker"]) {
    if (typeof window[name] === "function") replace(window, name, () => {
      report("file picker");
      return refused("The user aborted a request.", "AbortError");
    });
  }
  // Permissions that are refused without a prompt.
  const asks = (owner, name, ...permissions) => {
    if (typeof owner?.[name] !== "function") return;
    replace(owner, name, (original, self, given) => {
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
  const fire = EventTarget.prototype.dispatchEvent, Happening = Event, later = window.setTimeout.bind(window);
  replace(Element.prototype, "requestPointerLock", () => {
    report("pointer lock");
    later(() => apply(fire, document, [new Happening("pointerlockerror", {bubbles: true})]), 0);
    return refused("Pointer lock is not available.", "NotSupportedError");
  });
  replace(Element.prototype, "attachShadow", (original, self, given) => {
    const root = apply(original, self, given);
    if (root.mode === "closed") hand("SECRET root", root);  // from outside its fields cannot be told apart
    return root;
  });
  for (const type of [HTMLInputElement, HTMLSelectElement]) {
    replace(type.prototype, "showPicker", (original, self, given) => hand("SECRET picker", self) ? undefined : apply(original, self, given));
  }
})();
