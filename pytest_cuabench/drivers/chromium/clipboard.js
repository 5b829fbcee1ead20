// Tells what the page copies: texts by their types. (The clipboard's API is denied to pages.)
(() => {
  const tell = window.screenCopied;
  delete window.screenCopied;
  if (!tell) return;
  const later = window.setTimeout.bind(window);
  let set = null;  // by the page's own listeners, during a copy event

  const selected = (target) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      return {"text/plain": target.value.slice(target.selectionStart ?? 0, target.selectionEnd ?? 0)};
    }
    const selection = getSelection(), box = document.createElement("div");
    for (let index = 0; index < selection.rangeCount; index++) {
      box.append(selection.getRangeAt(index).cloneContents());
    }
    return {"text/plain": selection.toString(), "text/html": box.innerHTML};
  };
  const copied = (event) => {
    const content = selected(event.composedPath()[0]), own = set = {};
    later(() => {
      set = null;
      if (event.defaultPrevented) tell(own);
      else if (content["text/plain"]) tell(content);
    }, 0);
  };
  window.addEventListener("copy", copied, true);
  window.addEventListener("cut", copied, true);
  const original = DataTransfer.prototype.setData;
  DataTransfer.prototype.setData = {setData(type, text) {
    if (set) set[String(type).includes("/") ? type : "text/plain"] = String(text);
    return original.call(this, type, text);
  }}.setData;
})();
