"""How a program that plays reaches its episode: HTTP, MCP, SSH, CDP, VNC."""
