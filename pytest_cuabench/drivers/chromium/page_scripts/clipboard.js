// Tells what the page copies: texts by their types. (The clipboard's API is denied to pages.)
{
  let set = null;  // by the page's own listeners, during a copy event
  const way = (root, node) => {
    const steps = [];
    for (let at = node; at !== root; at = get(at, "parentNode")) steps.unshift([...get(get(at, "parentNode"), "childNodes")].indexOf(at));
    return steps;
  };
  const follow = (root, steps) => steps.reduce((at, step) => at.childNodes[step], root);
  // The copy belongs to a document that runs and loads nothing.
  const html = (range) => {
    const root = range.commonAncestorContainer, silent = call(get(document, "implementation"), "createHTMLDocument", "");
    const copy = silent.importNode(root, true), part = silent.createRange(), box = silent.createElement("div");
    part.setStart(follow(copy, way(root, range.startContainer)), range.startOffset);
    part.setEnd(follow(copy, way(root, range.endContainer)), range.endOffset);
    box.append(part.cloneContents());
    return box.innerHTML;
  };
  const selected = (target) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      return {"text/plain": target.value.slice(target.selectionStart ?? 0, target.selectionEnd ?? 0)};
    }
    const selection = call(document, "getSelection"), all = [];
    for (let index = 0; index < selection.rangeCount; index++) all.push(html(selection.getRangeAt(index)));
    return {"text/plain": selection.toString(), "text/html": all.join("")};
  };
  const copied = (event) => {
    const content = selected(before(event)), own = set = {};
    later(() => {
      set = null;
      if (event.defaultPrevented) tell("copied", own);
      else if (content["text/plain"]) tell("copied", content);
    });
  };
  listen("copy", copied);
  listen("cut", copied);
  said("copied", (detail) => {
    const {type, text} = JSON.parse(detail);
    if (set) set[type.includes("/") ? type : "text/plain"] = text;
  });
}
