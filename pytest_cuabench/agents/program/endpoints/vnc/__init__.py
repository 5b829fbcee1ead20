"""The VNC door: the protocol of remote desktops (RFB 3.8) in front of an episode.

door.py      the server: handshake, messages, pictures
screen.py    the live screen, and its pixels as a client wants them
gestures.py  pointer and key events, gathered into actions
keysyms.py   the numbers of keys

The server needs the extra `vnc`; nothing here does.
"""

PASSWORD = 8  # characters of the token: VNC authentication uses no more
