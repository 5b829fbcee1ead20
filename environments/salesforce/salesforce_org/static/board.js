// Boards of list views ([data-board]): a card ([data-card]) is dragged to another column ([data-value]), and the server
// gives its record the value of the column. What the server refuses comes back with the page where it was.
(() => {
  const FAR = 5, EDGE = 48, STEP = 16;
  let held = null;  // the card under the pressed button, where it was pressed, and whether it is being dragged

  const columnAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-board] [data-value]");
  const mark = (column) => document.querySelectorAll("[data-board] [data-value]").forEach((one) => one.classList.toggle("is-over", one === column));

  function follow() {
    const board = document.getElementById("rows"), box = board.getBoundingClientRect();
    if (held.x > box.right - EDGE) board.scrollLeft += STEP;
    else if (held.x < box.left + EDGE) board.scrollLeft -= STEP;
    held.frame = requestAnimationFrame(follow);
  }

  function lift() {
    const box = held.card.getBoundingClientRect();
    held.ghost = held.card.cloneNode(true);
    held.ghost.removeAttribute("data-card");
    held.ghost.setAttribute("aria-hidden", "true");
    held.ghost.classList.add("is-dragged");
    Object.assign(held.ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` });
    document.querySelector("[data-board]").append(held.ghost);
    held.card.classList.add("is-lifted");
    document.body.classList.add("is-dragging");
    held.frame = requestAnimationFrame(follow);
  }

  function lay() {
    const { card, ghost, frame } = held;
    cancelAnimationFrame(frame);
    ghost?.remove();
    card.classList.remove("is-lifted");
    document.body.classList.remove("is-dragging");
    mark(null);
    held = null;
  }

  document.addEventListener("mousedown", (event) => {
    const card = event.target.closest?.("[data-card]");
    if (!card || event.button || event.target.closest("[data-menu]")) return;
    held = { card, from: [event.clientX, event.clientY] };
  });
  document.addEventListener("dragstart", (event) => event.target.closest?.("[data-card]") && event.preventDefault());

  document.addEventListener("mousemove", (event) => {
    if (!held) return;
    const [x, y] = held.from;
    held.x = event.clientX;
    if (!held.ghost && Math.hypot(event.clientX - x, event.clientY - y) > FAR) lift();
    if (!held.ghost) return;
    held.ghost.style.transform = `translate(${event.clientX - x}px, ${event.clientY - y}px)`;
    mark(columnAt(event));
  });

  document.addEventListener("mouseup", (event) => {
    if (!held) return;
    const { card, ghost } = held, column = ghost && columnAt(event);
    lay();
    if (!ghost) return;
    // The click that ends a drag opens no link.
    const swallow = (click) => { click.preventDefault(); click.stopPropagation(); };
    document.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", swallow, { capture: true }));
    if (!column || column.contains(card)) return;
    const home = card.parentElement, next = card.nextSibling;
    column.querySelector("ul").prepend(card);
    card.removeAttribute("data-card");
    const putBack = () => { home.insertBefore(card, next); card.dataset.card = ""; };
    card.addEventListener("htmx:responseError", putBack, { once: true });
    card.addEventListener("htmx:sendError", putBack, { once: true });
    htmx.ajax("POST", `${card.dataset.record}/board`, { source: card, target: "#rows", swap: "none", values: { value: column.dataset.value } });
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && held) lay();
  });
})();
