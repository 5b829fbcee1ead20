// Numbers and outcomes as people read them.

function percent(share, digits = 1) {
  return `${(share * 100).toFixed(digits)} %`;
}

function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function dollars(value) {
  if (value === null || value === undefined) return "unknown";
  if (value === 0) return "$0";
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

function rounded(number) {
  return number.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}

function tokens(usage) {
  if (!usage.tokens_in && !usage.tokens_out) return "no tokens used";
  const cached = usage.tokens_cached ? ` (${rounded(usage.tokens_cached)} cached)` : "";
  return `${rounded(usage.tokens_in)} tokens in${cached}, ${rounded(usage.tokens_out)} out`;
}

function signed(value, digits = 2) {
  return value === null ? "–" : (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(digits);
}

function count(number, one, many) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function spaced(name) {
  return name.replaceAll("_", " ");
}

// Rates

// The score interval of Wilson (1927) at 95 %, as stats.py computes it; here for whatever a filter leaves.
function wilson(k, n) {
  if (n === 0) return { k, n, low: 0, high: 1 };
  const z = 1.959963984540054;
  const share = k / n;
  const middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const half = z / (1 + z * z / n) * Math.sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return { k, n, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

function interval(rate, digits = 1) {
  return `${(rate.low * 100).toFixed(digits)}–${(rate.high * 100).toFixed(digits)} %`;
}

function rateWords(rate) {
  return rate.n === 0 ? "nothing graded" : `${rate.k} of ${rate.n}, ${percent(rate.k / rate.n)} (${interval(rate)})`;
}

function strip(rate, tone = "success") {
  const band = el("i");
  band.style.left = `${100 * rate.low}%`;
  band.style.width = `${100 * (rate.high - rate.low)}%`;
  const point = el("b");
  point.style.left = `${100 * rate.k / rate.n}%`;
  return el("span", { class: `strip tone-${tone}`, "aria-hidden": "true" }, band, point);
}

// Signs that differ in shape as well as in colour

const SHAPES = {
  success: ["M8 .5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z", "M4.4 8.3l2.5 2.5 4.7-5.2"],
  violation: ["M8 .8l7.6 14H.4z", "M8 6v4M8 12.2v.3"],
  ungraded: ["M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z", ""],
  budget: ["M8 .5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z", "M8 4v4.2l2.8 1.8"],
  other: ["M8 .6l7.4 7.4L8 15.4.6 8z", "M5 8h6"],
  failure: ["M3 1h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2z", "M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6"],
};

function toneOf(outcome) {
  return data.outcomes[outcome].tone;
}

function icon(tone) {
  const [shape, sign] = SHAPES[tone];
  const hollow = tone === "ungraded";
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: shape, fill: hollow ? "none" : "currentColor", stroke: hollow ? "currentColor" : "none",
      "stroke-width": 2, "stroke-dasharray": hollow ? "3 2" : null }),
    svg("path", { d: sign, fill: "none", stroke: "var(--paper)", "stroke-width": 1.9, "stroke-linecap": "round", "stroke-linejoin": "round" }));
}

function outcomeBadge(outcome) {
  const tone = toneOf(outcome);
  return el("span", { class: `outcome tone-${tone}` }, icon(tone), spaced(outcome));
}
