// Pastes what the episode copied, by the next key that a page does not prevent. It runs in the judge's own world; what is
// on the browser's clipboard, which other episodes share, is never read.
(held) => {
  const insert = (target) => {
    const text = held["text/plain"] ?? "", html = held["text/html"];
    const execute = (command, given) => target.ownerDocument.execCommand(command, false, given);
    if (/^(input|textarea)$/.test(target.localName)) {
      execute("insertText", target.localName === "input" ? text.replace(/\r\n?|\n/g, " ") : text);
    } else if (!target.isContentEditable) {
      return;
    } else if (html && target.closest("[contenteditable]")?.contentEditable !== "plaintext-only") {
      const safe = document.createElement("div");
      safe.setHTML(html);
      execute("insertHTML", safe.innerHTML);
    } else if (text) {
      execute("insertText", text);
    }
  };
  const paste = (target) => {
    const clipboardData = new DataTransfer();
    for (const [kind, text] of Object.entries(held)) clipboardData.setData(kind, text);
    const options = {clipboardData, bubbles: true, cancelable: true, composed: true};
    if (target.dispatchEvent(new ClipboardEvent("paste", options)) && Object.keys(held).length) insert(target);
  };
  removeEventListener("keydown", globalThis.keyed, true);
  globalThis.pasted = null;
  globalThis.keyed = (event) => {
    const target = event.composedPath()[0];
    globalThis.pasted = new Promise((done) => setTimeout(() => {  // when all listeners have had the key
      if (!event.defaultPrevented && target.isConnected) paste(target);
      done();
    }));
  };
  addEventListener("keydown", globalThis.keyed, {capture: true, once: true});
}
