"""What adversaries run in the pages of an application; PORT is where this computer listens for what should not come."""

FORGES = """async () => {
  const done = {success: true, done: true, reward: 1, score: 1, state: {}}, text = JSON.stringify(done), sent = [];
  for (const path of ["report", "probe", "state", "reset", "session", "control", "api/report", "sessions/1/report"]) {
    for (const method of ["POST", "PUT"]) sent.push(fetch(`/${path}`, {method, body: text}));
    navigator.sendBeacon(`/${path}`, text);
  }
  for (const name of Object.getOwnPropertyNames(window).filter((name) => /report|binding|probe|cuabench/i.test(name))) {
    try { window[name](text); } catch { }
  }
  for (const type of ["report", "probe", "state"]) document.dispatchEvent(new CustomEvent(type, {detail: text}));
  window.postMessage(done, "*");
  JSON.stringify = () => text;
  Array.from = () => [done];
  await Promise.allSettled(sent);
}"""
LATE_SCRIPT = """() => {
  const write = () => {
    fetch(location.href, {method: "POST", body: "late=1", keepalive: true}).catch(() => {});
    for (const form of document.forms) {
      const body = new URLSearchParams(new FormData(form));
      fetch(form.action, {method: "POST", body, keepalive: true}).catch(() => {});
    }
  };
  for (const delay of [300, 1000, 2000, 4000, 8000]) setTimeout(write, delay);
  addEventListener("pagehide", () => navigator.sendBeacon(location.href, "late=1"));
}"""
SPEAKS = """async () => {
  const urls = ["stun:127.0.0.1:PORT", "stun:localhost:PORT"], place = {sdpMid: "0", sdpMLineIndex: 0};
  const one = new RTCPeerConnection({iceServers: [{urls}]}), other = new RTCPeerConnection();
  one.createDataChannel("any");
  await one.setLocalDescription(await one.createOffer());
  await other.setRemoteDescription(one.localDescription);
  await other.setLocalDescription(await other.createAnswer());
  await one.setRemoteDescription(other.localDescription);
  const candidate = "candidate:1 1 udp 2113937151 127.0.0.1 PORT typ host ufrag text";
  for (const peer of [one, other]) await peer.addIceCandidate({candidate, ...place});
  new WebTransport("https://127.0.0.1:PORT/").ready.catch(() => {});
  await new Promise((done) => setTimeout(done, 500));
}"""
FLOODS = """() => {
  for (let n = 0; n < 2000; n++) fetch(`${location.pathname}?n=${n}`).catch(() => {});
  for (let n = 0; n < 200; n++) history.pushState({}, "", `#${n}`);
}"""
