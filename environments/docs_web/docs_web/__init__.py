"""A small web to look things up in: documentation under its real host names, other sites, and a search engine.

`sites.toml` declares the sites. What Debian packages install is served as it is (`folders.py`), pages of book length
section by section (`manuals.py`), and the rest from fixtures (`written.py`). `index.py` is the search engine's index,
`public.py` answers all hosts on one TLS listener.
"""

NAME = "docs_web"
VERSION = "1"
