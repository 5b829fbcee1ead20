"""A program as the agent: it runs in a box and reaches the episode through one door.

agent.py     starts the program for each episode, and turns its calls into decisions
exchange.py  what the episode loop and the door exchange: an observation for a decision
wire.py      actions and observations as JSON, and their schema
door.py      the HTTP interface on a Unix socket; openapi.py and page.py describe it
mcp_door.py  the same as tools of the Model Context Protocol
cdp_door.py  the Chrome DevTools Protocol: cdp_client.py, cdp_steps.py, cdp_input.py, cdp_rules.py
vnc          VNC, with a socket of its own
ssh_door.py  SSH, likewise
gathering.py the actions that raw input by CDP and VNC is gathered into
box.py       the box: bubblewrap, another user, no other files, no network
container.py the same as a container
hosts.py     a proxy to the hosts that the profile names
inside.py, stdio.py  run inside of the box; they import the standard library only
"""
