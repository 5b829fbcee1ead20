// Begins what runs in a world beside the page: its exceptions, variables and changed functions are not the page's, and
// the page's are not its. BINDING exists there alone.
globalThis.screenStop?.abort();  // a tab that a page opens keeps the window of its empty document, with its listeners
const stopping = globalThis.screenStop = new AbortController();
const tell = (kind, value) => globalThis["BINDING"]?.(JSON.stringify([kind, value]));
const safely = (work) => (...given) => {
  try {
    return work(...given);
  } catch (error) {
    tell("fault", String(error?.stack ?? error).slice(0, 500));
    return undefined;
  }
};
const later = (work, delay = 0) => setTimeout(safely(work), delay);
const listen = (kind, work, {target = window, ...options} = {}) => {
  target.addEventListener(kind, safely(work), {capture: true, passive: false, signal: stopping.signal, ...options});
};
const before = (event) => event.composedPath()[0];  // what an event is of, also within open shadow roots
// Nodes that a replaced function of the page hands over: closed shadow roots, fields.
const handed = (name, work) => listen(`SECRET ${name}`, (event) => {
  event.stopImmediatePropagation();
  if (work(event.touches[0].target)) event.preventDefault();
});
const said = (name, work) => listen(`SECRET ${name}`, (event) => {
  event.stopImmediatePropagation();
  event.preventDefault();
  work(event.detail);
});
