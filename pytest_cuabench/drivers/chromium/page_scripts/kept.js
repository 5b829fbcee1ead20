// Whether the frames keep a key for themselves that is pressed between two calls: the first listens, the second tells.
// A frame with the focus that has not seen the key has stopped it before.
(ends) => {
  const known = globalThis.kept;
  if (!ends) {
    if (known) removeEventListener("keydown", known.listen, true);
    const state = globalThis.kept = {last: null, focused: document.hasFocus(), listen: (event) => { state.last = event; }};
    addEventListener("keydown", state.listen, true);
    return false;
  }
  if (!known) return false;
  removeEventListener("keydown", known.listen, true);
  delete globalThis.kept;
  const frame = get(document, "activeElement") instanceof HTMLIFrameElement;
  return known.last ? known.last.defaultPrevented : known.focused && !frame;
}
