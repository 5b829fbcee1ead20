// Pastes what the episode copied in place of what is on the browser's clipboard, which other episodes share. It runs in the
// judge's own world, from the beginning of a document on: no listener of the page sees what the clipboard holds.
(held) => {
  globalThis.held = held;
  const insert = (target, command, text) => target.ownerDocument.execCommand(command, false, text);
  const paste = (target) => {
    const text = globalThis.held["text/plain"] ?? "", html = globalThis.held["text/html"];
    if (/^(input|textarea)$/.test(target.localName)) {
      insert(target, "insertText", target.localName === "input" ? text.replace(/\r\n?|\n/g, " ") : text);
    } else if (html && target.closest?.("[contenteditable]")?.contentEditable !== "plaintext-only") {
      const safe = document.createElement("div");
      safe.setHTML(html);
      insert(target, "insertHTML", safe.innerHTML);
    } else if (text) {
      insert(target, "insertText", text);
    }
  };
  globalThis.replace ??= (event) => {
    if (!event.isTrusted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const kinds = Object.entries(globalThis.held ?? {}), clipboardData = new DataTransfer();
    for (const [kind, text] of kinds) clipboardData.setData(kind, text);
    const path = event.composedPath(), target = path[0];
    const options = {clipboardData, bubbles: true, cancelable: true, composed: true};
    if (!target.dispatchEvent(new ClipboardEvent("paste", options)) || !kinds.length) return;
    const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
    if (/^(input|textarea)$/.test(element.localName) || element.isContentEditable) paste(element);
  };
  addEventListener("paste", globalThis.replace, true);  // again, if document.open has removed it
}
