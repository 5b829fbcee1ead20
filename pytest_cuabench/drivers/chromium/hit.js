// Which of these boxes can be hit at their middles? Covered ones cannot.
((boxes) => {
  const near = (a, b) => Math.abs(a - b) <= 1.5;
  function deepest(x, y) {
    let root = document, left = 0, top = 0, scale = 1, chain = [];
    for (;;) {
      const element = root.elementFromPoint((x - left) / scale, (y - top) / scale);
      if (!element) return chain;
      for (let one = element; one; one = one.parentElement || one.getRootNode().host) {
        const box = one.getBoundingClientRect();
        chain.push([box.x * scale + left, box.y * scale + top, box.width * scale, box.height * scale]);
      }
      if (element.shadowRoot && element.shadowRoot !== root) { root = element.shadowRoot; continue; }
      try {
        if (element.localName !== "iframe" || !element.contentDocument) return chain;
        const box = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        const inner = element.offsetWidth ? box.width / element.offsetWidth : 1;
        left += (box.x + (element.clientLeft + parseFloat(style.paddingLeft)) * inner) * scale;
        top += (box.y + (element.clientTop + parseFloat(style.paddingTop)) * inner) * scale;
        scale *= inner;
        root = element.contentDocument;
      } catch (foreign) { return chain; }
    }
  }
  return boxes.map(([x, y, width, height]) => {
    const middle = [Math.min(innerWidth - 1, Math.max(0, x + width / 2)),
                    Math.min(innerHeight - 1, Math.max(0, y + height / 2))];
    return deepest(...middle).some(([a, b, c, d]) =>
      (near(a, x) && near(b, y) && near(c, width) && near(d, height))
      || (a >= x - 1.5 && b >= y - 1.5 && a + c <= x + width + 1.5 && b + d <= y + height + 1.5));
  });
})
