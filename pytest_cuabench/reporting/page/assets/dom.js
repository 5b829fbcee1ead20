"use strict";
// Every text reaches the page through createTextNode, so that nothing in it is ever read as markup.

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

// Said by a screen reader before what is seen.
function unseen(text) {
  return el("span", { class: "unseen" }, text);
}

function button(properties, ...children) {
  return el("button", { type: "button", ...properties }, children);
}

// A wide table scrolls within its place; the keyboard reaches it, too.
function scroller(name, table) {
  return el("div", { class: "scroll", role: "group", "aria-label": name, tabindex: "0" }, table);
}

function section(name, title, ...children) {
  return el("section", { id: name, "aria-labelledby": `${name}-title` }, el("h2", { id: `${name}-title` }, title), children);
}
