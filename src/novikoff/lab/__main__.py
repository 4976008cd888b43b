"""``python -m novikoff.lab``."""

import argparse

from .server import HOST, PORT, serve


def main() -> None:
    """Read the command line and start the lab."""
    parser = argparse.ArgumentParser(prog="novikoff.lab", description="Watch perceptrons learn, in a browser.")
    parser.add_argument("--host", default=HOST, help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=PORT, help="port; a free one if taken (default: %(default)s)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    order = parser.parse_args()
    serve(order.host, order.port, browser=not order.no_browser)


if __name__ == "__main__":
    main()
