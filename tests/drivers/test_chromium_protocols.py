"""No protocol of the browser leaves the world: listeners for UDP, TCP and multicast DNS hear nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from pytest_cuabench.agents.program.endpoints.cdp import rules
from pytest_cuabench.drivers.chromium import ChromiumEnvironment
from pytest_cuabench.task.action import Size
from pytest_cuabench.testing.probe_page import Server
from pytest_cuabench.testing.served_world import FakeWorld

from .conftest import Harness

MDNS = ("224.0.0.251", 5353)
QUIET = 2.0  # seconds of listening after the page has tried everything
ATTEMPTS = """async ({hosts, udp, tcp}) => {
  const tried = [], quiet = () => {};
  const attempt = async (name, work) => {
    try { await work(); tried.push(name); } catch { }
  };
  const servers = hosts.flatMap((host) => [
    {urls: `stun:${host}:${udp}`},
    ...["udp", "tcp"].flatMap((over) => ["turn", "turns"].map((scheme) => ({
      urls: `${scheme}:${host}:${over === "udp" ? udp : tcp}?transport=${over}`, username: "a", credential: "b",
    }))),
  ]);
  const [one, other] = [new RTCPeerConnection({iceServers: servers.slice(0, 16)}), new RTCPeerConnection()];
  one.createDataChannel("any");
  await one.setLocalDescription(await one.createOffer());
  await other.setRemoteDescription(one.localDescription);
  await other.setLocalDescription(await other.createAnswer());
  await one.setRemoteDescription(other.localDescription);
  for (const peer of [one, other]) {
    for (const host of [...hosts, "text-of-the-agent.local"]) {
      const place = {sdpMid: "0", sdpMLineIndex: 0};
      await attempt("ice", () => peer.addIceCandidate(
        {candidate: `candidate:1 1 udp 2113937151 ${host} ${udp} typ host ufrag text`, ...place}));
      await attempt("ice", () => peer.addIceCandidate(
        {candidate: `candidate:2 1 tcp 1518280447 ${host} ${tcp} typ host tcptype passive`, ...place}));
    }
  }
  for (const host of hosts) {
    const web = `http://${host}:${tcp}`;
    await attempt("WebTransport", () => {
      const made = new WebTransport(`https://${host}:${udp}/`);
      made.ready.catch(quiet);
      made.closed.catch(quiet);
    });
    await attempt("UDPSocket", () => new UDPSocket({remoteAddress: host, remotePort: udp}).opened);
    await attempt("TCPSocket", () => new TCPSocket(host, tcp).opened);
    for (const scheme of ["http", "https", "ftp"]) {
      fetch(`${scheme}://${host}:${tcp}/`, {mode: "no-cors", targetAddressSpace: "local"}).catch(quiet);
      new Image().src = `${scheme}://${host}:${tcp}/`;
    }
    for (const scheme of ["ws", "wss"]) await attempt(scheme, () => new WebSocket(`${scheme}://${host}:${tcp}/`));
    for (const rel of ["dns-prefetch", "preconnect", "prefetch", "prerender", "modulepreload", "icon", "manifest"]) {
      document.head.append(Object.assign(document.createElement("link"), {rel, href: `${web}/${rel}`}));
    }
    const rules = document.createElement("script");
    rules.type = "speculationrules";
    const listed = [{source: "list", urls: [`${web}/speculated`], eagerness: "immediate"}];
    rules.textContent = JSON.stringify({prefetch: listed, prerender: listed});
    document.head.append(rules);
    for (const tag of ["iframe", "video", "embed"]) {
      document.body.append(Object.assign(document.createElement(tag), {src: web}));
    }
    await attempt("beacon", () => navigator.sendBeacon(web, "text"));
    await attempt("EventSource", () => new EventSource(web));
    await attempt("PresentationRequest", () => void new PresentationRequest([web]).getAvailability().catch(quiet));
    const source = `fetch("${web}/worker").catch(() => {})`;
    await attempt("Worker", () => new Worker(URL.createObjectURL(new Blob([source]))));
  }
  return tried;
}"""
CALLS = (
    "Network.loadNetworkResource",
    "Network.setCookie",
    "Network.replayXHR",
    "Fetch.enable",
    "ServiceWorker.enable",
    "Target.createTarget",
    "Target.createBrowserContext",
    "Tethering.bind",
    "IO.read",
    "Cast.enable",
    "BluetoothEmulation.enable",
    "WebAuthn.enable",
    "DeviceAccess.enable",
    "Security.setIgnoreCertificateErrors",
    "Page.setBypassCSP",
)


async def _page(_: Request) -> HTMLResponse:
    return HTMLResponse("<!doctype html><p>A page.</p>")


@pytest.fixture
def desk() -> Iterator[Server]:
    """The application."""
    server = Server(Starlette(routes=[Route("/", _page)]))
    yield server
    server.stop()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, heard: list[str]) -> None:
        self._heard = heard

    def datagram_received(self, data: bytes, address: object) -> None:
        self._heard.append(f"a datagram from {address}: {data[:40]!r}")


def own_address() -> str | None:
    """Return this computer's address on a network; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # a route is looked up, and nothing is sent
        return str(probe.getsockname()[0])
    return None


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[list[str], int, int]]:
    """Yield what is heard on all addresses, the port for UDP and the port for TCP."""
    heard: list[str] = []
    loop = asyncio.get_running_loop()

    async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(f"a connection from {writer.get_extra_info('peername')}")
        writer.close()

    one, multicast = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    one.bind(("0.0.0.0", 0))
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        multicast.setsockopt(socket.SOL_SOCKET, option, 1)
    multicast.bind(MDNS)
    with suppress(OSError):  # a computer without a network has no multicast
        group = socket.inet_aton(MDNS[0]) + socket.inet_aton("0.0.0.0")
        multicast.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    ways = [
        (await loop.create_datagram_endpoint(lambda: _Datagrams(heard), sock=each))[0]
        for each in (one, multicast)
    ]
    server = await asyncio.start_server(connected, "0.0.0.0", 0)
    try:
        yield heard, one.getsockname()[1], server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for way in ways:
            way.close()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_no_protocol_leaves_the_world(browser, desk: Server, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A page that tries WebRTC, QUIC, sockets, prefetches and all else reaches no listener on this computer."""
    world = FakeWorld(desk.port)
    environment = ChromiumEnvironment(browser, world, Size(600, 400), downloads=tmp_path)
    await Harness(environment, world).start("")
    hosts = [each for each in ("127.0.0.1", "localhost", own_address()) if each]
    async with listening() as (heard, udp, tcp):
        assert environment.session is not None
        page = environment.session.active.page
        tried = await page.evaluate(ATTEMPTS, {"hosts": hosts, "udp": udp, "tcp": tcp})
        await asyncio.sleep(QUIET)
        assert heard == []
        assert {"ice", "WebTransport", "Worker", "beacon", "ws"} <= set(tried)  # else this tries nothing
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as speaker:
            speaker.sendto(b"a voice", ("127.0.0.1", udp))
        await asyncio.sleep(0.1)
        assert len(heard) == 1, "the listener hears nothing at all"
    await environment.close()


def test_no_call_of_the_protocol_does() -> None:
    """A program by CDP is refused every call by which the browser would ask the network, or change how it does."""
    for method in CALLS:
        assert method not in rules.PASSED, method
