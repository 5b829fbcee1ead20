"use strict";
// Monitor traces on canvas: a pen sweeps from left to right and erases what is ahead of it.
// <canvas data-traces="ecg pleth abp resp" data-heart-rate="82" data-respiratory-rate="16" data-rhythm="sinus">
// Rhythms: sinus, irregular, paced; pause (2.1 s without a beat, now and then), run (of four wide beats). Colours: CSS properties --ecg etc.
// With data-still (paper, 4 pixels to the millimetre: 25 mm/s, 20 mm/mV), and where reduced motion is asked for, one screen is drawn and stays.
// Only pixels change, never the document, and only about ten times a second.

(() => {
  const FRAME = 100;       // ms between two strokes
  const SPEED = 42;        // pixels a second on a monitor
  const PAPER = 100;       // pixels a second on paper
  const GAP = 14;          // pixels erased ahead of the pen
  const RUN = 0.36;        // seconds between the beats of a run
  const LOOP = 60;         // seconds after which the beats repeat

  const bump = (t, at, width, height) => height * Math.exp(-(((t - at) / width) ** 2));

  // Beat times of a minute; an irregular rhythm varies the intervals, always the same way.
  const beats = (rate, rhythm) => {
    const times = [];
    let step = 1;
    for (let t = 0; t < LOOP + 4;) {
      times.push(t);
      step = (step * 16807) % 2147483647;
      const vary = rhythm === "irregular" ? 0.68 + 0.64 * (step / 2147483647) : 1;
      const usual = (60 / Math.max(rate, 12)) * vary, place = times.length % 9;
      t += rhythm === "pause" && place === 4 ? 2.1 : rhythm === "run" && place > 3 && place < 8 ? RUN : usual;
    }
    return times;
  };

  // Seconds since the last beat, and until the next one.
  const around = (times, t) => {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle; else high = middle - 1;
    }
    return [t - times[low], (times[low + 1] ?? times[low] + 1) - t];
  };

  const ecg = (since, until, rhythm, t) => {
    const length = since + until, recovery = 0.26 * Math.sqrt(length) + 0.04;
    if (rhythm === "paced") {
      const spike = until < 0.05 && until > 0.03 ? 0.9 : 0;
      return spike + bump(since, 0.05, 0.045, 0.75) - bump(since, 0.13, 0.04, 0.25) - bump(since, recovery + 0.08, 0.06, 0.3);
    }
    if (rhythm === "run" && length < RUN + 0.02) return bump(since, 0.09, 0.055, 1.15) - bump(since, 0.24, 0.05, 0.3);
    const atria = rhythm === "irregular"
      ? 0.03 * Math.sin(t * 38) + 0.025 * Math.sin(t * 53 + 1)
      : bump(until, 0.15, 0.03, 0.14);
    return atria - bump(since, 0, 0.012, 0.1) + bump(since, 0.025, 0.014, 1) - bump(since, 0.055, 0.014, 0.24)
      + bump(since, recovery, 0.05, 0.24) - bump(until, 0.012, 0.01, 0.08);
  };

  const pulse = (since, until, notch) => {
    const phase = since / (since + until), foot = Math.exp(-0.82 * 2.6);
    const rise = phase < 0.18
      ? foot + (1 - foot) * Math.sin((phase / 0.18) * Math.PI / 2)
      : Math.exp(-(phase - 0.18) * 2.6);
    return 0.9 * rise + bump(phase, 0.42, 0.05, notch) - 0.08;
  };

  const shape = {
    ecg: (m, t) => { const [a, b] = around(m.beats, t % LOOP); return 0.26 + 0.66 * ecg(a, b, m.rhythm, t); },
    pleth: (m, t) => { const [a, b] = around(m.beats, t % LOOP); return 0.1 + 0.8 * pulse(a, b, 0.1); },
    abp: (m, t) => { const [a, b] = around(m.beats, t % LOOP); return 0.1 + 0.8 * pulse(a, b, 0.2); },
    resp: (m, t) => 0.5 + 0.34 * Math.sin((t * m.breaths * Math.PI) / 30),
  };

  const monitor = (canvas) => {
    const set = canvas.dataset, style = getComputedStyle(canvas);
    canvas.width = canvas.clientWidth;
    canvas.height = canvas.clientHeight;
    const traces = set.traces.split(" ");
    const lane = canvas.height / traces.length;
    return {
      pen: canvas.getContext("2d"),
      width: canvas.width,
      height: canvas.height,
      rhythm: set.rhythm,
      beats: beats(Number(set.heartRate), set.rhythm),
      breaths: Number(set.respiratoryRate ?? 0),
      shift: Number(set.shift ?? 0),
      still: "still" in set,
      speed: "still" in set ? PAPER : SPEED,
      lanes: traces.map((name, place) => ({
        name, top: place * lane, lane, colour: style.getPropertyValue(`--${name}`).trim() || "#fff",
      })),
    };
  };

  // Draws the stretch of time from one moment to another; both lie on the same pass of the pen.
  const stroke = (m, from, to) => {
    const { pen, speed } = m, left = (from * speed) % m.width, pixels = (to - from) * speed;
    pen.clearRect(left + 0.5, 0, pixels + GAP, m.height);
    pen.lineWidth = 1.4;
    for (const { name, top, lane, colour } of m.lanes) {
      pen.strokeStyle = colour;
      pen.beginPath();
      for (let x = -1; x <= pixels; x += 0.4) {
        const y = top + lane * (0.96 - 0.9 * shape[name](m, Math.max(0, from + x / speed + m.shift)));
        if (x < 0) pen.moveTo(left + x, y); else pen.lineTo(left + x, y);
      }
      pen.stroke();
    }
  };

  const sweep = (m, from, to) => {
    const turn = (Math.floor((from * m.speed) / m.width) + 1) * m.width / m.speed;
    if (to > turn) {
      stroke(m, from, turn - 1e-4);
      stroke(m, turn + 1e-4, to);
    } else {
      stroke(m, from, to);
    }
  };

  const monitors = [...document.querySelectorAll("canvas[data-traces]")].map(monitor);
  for (const m of monitors) sweep(m, 0, m.width / m.speed - 1e-3);
  const moving = monitors.filter((m) => !m.still);
  if (!moving.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  let last = performance.now(), from = Math.max(...moving.map((m) => m.width / SPEED));
  const tick = (now) => {
    window.requestAnimationFrame(tick);
    if (now - last < FRAME) return;
    const to = from + Math.min(now - last, 4 * FRAME) / 1000;
    for (const m of moving) sweep(m, from, to);
    [last, from] = [now, to];
  };
  window.requestAnimationFrame(tick);
})();
