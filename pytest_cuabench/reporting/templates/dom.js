"use strict";
// Every text reaches the page through createTextNode, so that nothing in it is ever read as markup.

const data = JSON.parse(document.getElementById("data").textContent);

// Control characters and changes of writing direction are spelled out: they could hide or reorder what was said.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function visible(text) {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
  return node;
}

function el(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function said(text, extra) {
  return el("div", { class: `said ${extra || ""}`, dir: "auto" }, text);
}

// Numbers

function percent(share, digits = 1) {
  return `${(share * 100).toFixed(digits)} %`;
}

function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function dollars(value) {
  if (value === null) return "unknown";
  if (value === 0) return "$0";
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

function tokens(usage) {
  if (!usage.tokens_in && !usage.tokens_out) return "no tokens used";
  const cached = usage.tokens_cached ? ` (${rounded(usage.tokens_cached)} cached)` : "";
  return `${rounded(usage.tokens_in)} tokens in${cached}, ${rounded(usage.tokens_out)} out`;
}

function signed(value) {
  return value === null ? "–" : (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(2);
}

function rounded(number) {
  return number.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}

function count(number, one, many) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

// Signs that differ in shape as well as in colour

const TONES = { success: "success", failure: "failure", violation: "violation", budget_exhausted: "budget" };
const UNGRADED = new Set(["environment_error", "provider_error", "checker_error", "cancelled"]);
const SHAPES = {
  success: ["M8 .5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z", "M4.4 8.3l2.5 2.5 4.7-5.2"],
  violation: ["M8 .8l7.6 14H.4z", "M8 6v4M8 12.2v.3"],
  ungraded: ["M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z", ""],
  failure: ["M3 1h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2z", "M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6"],
};

function toneOf(outcome) {
  return TONES[outcome] || (UNGRADED.has(outcome) ? "ungraded" : "other");
}

function icon(tone) {
  const [shape, sign] = SHAPES[tone] || SHAPES.failure;
  const hollow = tone === "ungraded";
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: shape, fill: hollow ? "none" : "currentColor", stroke: hollow ? "currentColor" : "none",
      "stroke-width": 2, "stroke-dasharray": hollow ? "3 2" : null }),
    svg("path", { d: sign, fill: "none", stroke: "var(--paper)", "stroke-width": 1.9, "stroke-linecap": "round" }));
}

function outcomeBadge(outcome) {
  const tone = toneOf(outcome);
  return el("span", { class: `outcome tone-${tone}` }, icon(tone), outcome.replaceAll("_", " "));
}

function strip(rate) {
  const band = el("i");
  band.style.left = `${100 * rate.low}%`;
  band.style.width = `${100 * (rate.high - rate.low)}%`;
  const point = el("b");
  point.style.left = `${100 * rate.k / rate.n}%`;
  return el("span", { class: "strip", "aria-hidden": "true" }, band, point);
}

function interval(rate) {
  return `${(rate.low * 100).toFixed(1)}–${(rate.high * 100).toFixed(1)} %`;
}
