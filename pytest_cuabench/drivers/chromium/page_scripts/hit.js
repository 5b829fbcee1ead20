// Which of these boxes can be hit at their middles? Covered ones cannot.
(boxes) => {
  const near = (a, b) => Math.abs(a - b) <= 1.5;
  function deepest(x, y) {
    let root = document, left = 0, top = 0, scale = 1, chain = [];
    for (;;) {
      const element = call(root, "elementFromPoint", (x - left) / scale, (y - top) / scale);
      if (!element) return chain;
      for (let one = element; one; one = get(one, "parentElement") || get(call(one, "getRootNode"), "host")) {
        const box = call(one, "getBoundingClientRect");
        chain.push([box.x * scale + left, box.y * scale + top, box.width * scale, box.height * scale]);
      }
      if (shadow(element) && shadow(element) !== root) { root = shadow(element); continue; }
      if (get(element, "localName") !== "iframe" || !inner(element)) return chain;
      const box = call(element, "getBoundingClientRect");
      const style = getComputedStyle(element), width = get(element, "offsetWidth");
      const ratio = width ? box.width / width : 1;
      left += (box.x + (get(element, "clientLeft") + parseFloat(style.paddingLeft)) * ratio) * scale;
      top += (box.y + (get(element, "clientTop") + parseFloat(style.paddingTop)) * ratio) * scale;
      scale *= ratio;
      root = inner(element);
    }
  }
  return boxes.map(([x, y, width, height]) => {
    const middle = [Math.min(innerWidth - 1, Math.max(0, x + width / 2)),
                    Math.min(innerHeight - 1, Math.max(0, y + height / 2))];
    return deepest(...middle).some(([a, b, c, d]) =>
      (near(a, x) && near(b, y) && near(c, width) && near(d, height))
      || (a >= x - 1.5 && b >= y - 1.5 && a + c <= x + width + 1.5 && b + d <= y + height + 1.5));
  });
}
