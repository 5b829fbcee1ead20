"use strict";
// Calipers: two clicks on the paper show the distance in time and voltage. Nothing of it is stored.

const paper = document.getElementById("paper");
const legs = document.getElementById("legs");
const reading = document.getElementById("reading");
const SVG = "http://www.w3.org/2000/svg";
const idle = reading.textContent;
let points = [];

const line = (x1, y1, x2, y2) => {
  const drawn = document.createElementNS(SVG, "line");
  Object.entries({ x1, y1, x2, y2 }).forEach(([name, value]) => drawn.setAttribute(name, value));
  legs.append(drawn);
};

const draw = () => {
  legs.replaceChildren();
  points.forEach(({ x, y }) => {
    line(x, y - 60, x, y + 60);
    line(x - 7, y, x + 7, y);
  });
  if (points.length < 2) return;
  const [from, to] = points;
  line(from.x, from.y, to.x, from.y);
  line(to.x, from.y, to.x, to.y);
};

const say = () => {
  if (points.length < 2) {
    reading.textContent = points.length ? "Calipers: click the second point" : idle;
    return;
  }
  const { speed, gain, mm } = paper.dataset;
  const ms = Math.round((Math.abs(points[1].x - points[0].x) / mm / speed) * 1000);
  const mv = ((points[0].y - points[1].y) / mm / gain).toFixed(2);
  reading.textContent = `${ms} ms · ${ms ? Math.round(60000 / ms) : "–"} /min · ${mv} mV`;
};

const set = (next) => {
  points = next;
  draw();
  say();
};

paper.addEventListener("click", (event) => {
  const edge = paper.getBoundingClientRect();
  const point = { x: Math.round(event.clientX - edge.left), y: Math.round(event.clientY - edge.top) };
  set(points.length === 1 ? [...points, point] : [point]);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && points.length) set([]); });

// The statements of a report: chosen from the list, removed one by one.
const form = document.querySelector("form.report");
if (form) {
  const codes = Object.fromEntries(Object.entries(JSON.parse(document.getElementById("library").textContent)).map(([code, text]) => [text, code]));
  const list = form.querySelector(".chosen");
  const box = form.querySelector("[name=add]");
  const keep = () => { form.elements.statements.value = [...list.children].map((item) => item.dataset.code).join(","); };
  const add = (text) => {
    const code = codes[text];
    if (!code) return false;
    box.value = "";
    if (list.querySelector(`[data-code=${code}]`)) return true;
    const item = document.getElementById("statement").content.firstElementChild.cloneNode(true);
    item.dataset.code = code;
    item.querySelector("span").textContent = text;
    item.querySelector("button").setAttribute("aria-label", `Remove ${text}`);
    list.append(item);
    keep();
    return true;
  };
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    button.parentElement.remove();
    keep();
  });
  form.querySelector("#field-add-list").addEventListener("click", () => add(box.value));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add(box.value.trim());
  });
}
