"use strict";
// Calipers: two clicks on the sectional picture give a distance in millimetres.

const screen = document.querySelector(".sonogram");
const distance = document.getElementById("field-distance");

if (screen && distance) {
  const layer = screen.querySelector(".calipers");
  const scale = Number(screen.dataset.scale);
  const floor = Number(screen.dataset.height);
  let points = [];

  const add = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    layer.append(node);
    return node;
  };

  const draw = () => {
    layer.replaceChildren();
    points.forEach(({ x, y }) => add("path", { d: `M${x - 8} ${y}h16M${x} ${y - 8}v16` }));
    if (points.length < 2) return;
    const [a, b] = points;
    add("path", { d: `M${a.x} ${a.y}L${b.x} ${b.y}`, "stroke-dasharray": "2 5" });
    const length = (Math.hypot(a.x - b.x, a.y - b.y) / scale) * 10;
    distance.value = length.toFixed(1);
    add("text", { x: Math.min(560, b.x + 12), y: b.y + 4 }).textContent = `${length.toFixed(1)} mm`;
  };

  screen.addEventListener("click", (event) => {
    const frame = screen.getBoundingClientRect();
    const point = { x: event.clientX - frame.left, y: event.clientY - frame.top };
    if (point.y > floor) return;
    points = points.length === 2 ? [point] : [...points, point];
    draw();
  });
}
