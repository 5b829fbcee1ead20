"""A program as the agent: it runs in a sandbox and reaches the episode through one endpoint.

agent.py               starts the program for each episode, and turns its calls into decisions
endpoints/exchange.py  what the episode loop and the endpoint exchange: an observation for a decision
endpoints/wire.py      actions and observations as JSON, and their schema
endpoints/http.py      the HTTP interface on a Unix socket; openapi.py and page.py describe it
endpoints/mcp.py       the same as tools of the Model Context Protocol
endpoints/cdp          the Chrome DevTools Protocol
endpoints/vnc          VNC, with a socket of its own
endpoints/ssh.py       SSH, likewise
endpoints/gathering.py the actions that raw input by CDP and VNC is gathered into
sandbox/box.py         the box: bubblewrap, another user, no other files, no network
sandbox/container.py   the same as a container
sandbox/hosts.py       a proxy to the hosts that the profile names
sandbox/inside.py, sandbox/stdio.py run inside of the box; they import the standard library only
"""
