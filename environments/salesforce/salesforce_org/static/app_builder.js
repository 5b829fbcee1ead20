// Lightning App Builder: select by click or Enter, delete, undo; drag components and fields to where they belong.
(() => {
  const builder = () => document.getElementById("builder");
  const here = () => builder().querySelector("[hx-post]").getAttribute("hx-post").replace(/\/save$/, "");
  const send = (values) => htmx.ajax("POST", here(), { target: "#builder", source: "#builder", values });
  const what = (node) => node.dataset.new
    ? { do: "add", what: node.dataset.drag, name: node.dataset.new } : { do: "move", item: node.dataset.item };
  let held = null, start = null;

  document.addEventListener("mousedown", (event) => {
    const node = event.target.closest("[data-drag]");
    if (!node || event.button || event.target.closest(".builder-item__bar, [role=tab]")) return;
    held = node;
    start = [event.clientX, event.clientY];
    if (!node.dataset.new) event.preventDefault();
  });

  document.addEventListener("mousemove", (event) => {
    if (!held) return;
    const far = Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 5;
    if (far && !document.body.classList.contains("is-dragging")) {
      document.body.classList.add("is-dragging");
      for (const drop of document.querySelectorAll(`[data-drop=${held.dataset.drag}]`))
        if (!held.contains(drop)) drop.classList.add("is-open");
    }
    for (const drop of document.querySelectorAll(".is-over")) drop.classList.remove("is-over");
    if (document.body.classList.contains("is-dragging")) nearest(event)?.classList.add("is-over");
  });

  document.addEventListener("mouseup", (event) => {
    const node = held;
    held = null;
    if (!node) return;
    const dragged = document.body.classList.contains("is-dragging");
    const drop = dragged ? nearest(event) : null;
    document.body.classList.remove("is-dragging");
    for (const one of document.querySelectorAll(".is-open, .is-over")) one.classList.remove("is-open", "is-over");
    if (drop) send({ ...what(node), region: drop.dataset.region, at: drop.dataset.at });
    else if (!dragged && node.dataset.item) send({ do: "select", item: node.dataset.item });
  });

  // The open drop zone that is nearest to the pointer, if the pointer is over the page.
  function nearest(event) {
    const canvas = document.querySelector("[data-canvas]").getBoundingClientRect();
    if (event.clientX < canvas.left || event.clientX > canvas.right) return null;
    let best = null, least = Infinity;
    for (const drop of document.querySelectorAll(".builder-drop.is-open")) {
      const box = drop.getBoundingClientRect();
      const x = Math.max(box.left - event.clientX, 0, event.clientX - box.right);
      const distance = Math.hypot(x, (box.top + box.bottom) / 2 - event.clientY);
      if (distance < least) [best, least] = [drop, distance];
    }
    return best;
  }

  document.addEventListener("dblclick", (event) => {
    const node = event.target.closest("[data-new]");
    if (node) send(what(node));
  });

  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select, .org-modal")) return;
    const node = event.target.closest("[data-drag]");
    const selected = builder().querySelector(".is-selected");
    if (node && event.key === "Enter") {
      event.preventDefault();
      send(node.dataset.new ? what(node) : { do: "select", item: node.dataset.item });
    } else if (selected && (event.key === "Delete" || event.key === "Backspace")) send({ do: "remove", item: selected.dataset.item });
    else if (selected && (event.key === "ArrowUp" || event.key === "ArrowDown") && event.target.closest("[data-canvas], body") && !event.target.closest(".builder-left")) {
      event.preventDefault();
      send({ do: "step", way: event.key === "ArrowUp" ? "up" : "down" });
    } else if ((event.ctrlKey || event.metaKey) && event.key === "z") send({ do: event.shiftKey ? "redo" : "undo" });
    else if ((event.ctrlKey || event.metaKey) && event.key === "y") send({ do: "redo" });
  });

  document.addEventListener("click", (event) => {
    const leave = event.target.closest("[data-leave]");
    if (leave && !confirm("Leave without saving your changes?")) event.preventDefault();
    const finish = event.target.closest("[data-close-after]");
    if (finish) setTimeout(() => orgModals.close(finish.closest("[data-modal]")));
  });
})();
