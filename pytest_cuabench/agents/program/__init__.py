"""A program as the agent: it runs in a box and reaches the episode through one door.

agent.py     starts the program for each episode, and turns its calls into decisions
exchange.py  what the episode loop and the door exchange: an observation for a decision
wire.py      actions and observations as JSON, and their schema
page.py      its description for people
door.py      the HTTP interface on a Unix socket
mcp_door.py  the same as tools of the Model Context Protocol
cdp_door.py  the Chrome DevTools Protocol
vnc          VNC, with a socket of its own
ssh_door.py  SSH, likewise
box.py       the box: bubblewrap, another user, no other files, no network
hosts.py     a proxy to the hosts that the profile names
container.py the same as a container
inside.py, stdio.py  run inside of the box; they import the standard library only
"""
