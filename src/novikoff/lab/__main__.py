"""``python -m novikoff.lab`` serves the lab, as ``novikoff lab`` does."""

import argparse

from . import HOST, PORT
from .server import serve

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m novikoff.lab", description="Watch perceptrons learn, in a browser."
    )
    parser.add_argument("--port", type=int, default=PORT, help="the port; if it is in use, a free one is taken")
    parser.add_argument("--host", default=HOST, help="the address to listen on")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    options = parser.parse_args()
    serve(options.host, options.port, browser=not options.no_browser)
