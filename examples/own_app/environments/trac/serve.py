"""Serve a Trac project.

`tracd` would do, but for one thing: where python-multipart is installed, it has a module `multipart`, which Trac takes
for the package of that name.
"""

import sys

sys.modules["multipart"] = None  # type: ignore[assignment]  # not importable: Trac uses what Python has

from trac.web.standalone import main  # noqa: E402

if __name__ == "__main__":
    port, folder = sys.argv[1:]
    sys.argv[1:] = ["--hostname=127.0.0.1", f"--port={port}", "-s", folder]
    main()
