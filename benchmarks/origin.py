"""Where figures come from: the day, the machine and the commit, in the line that every script here prints last."""

import os
import platform
import re
import subprocess
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def processor() -> str:
    """The name that the processor gives itself, where Linux tells it."""
    known = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*: (.+)$", known.read_text() if known.exists() else "", re.MULTILINE)
    return named[1] if named else platform.processor() or platform.machine()


def commit() -> str:
    """The commit that was measured; "dirty" stands behind it where files had changed since."""
    described = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(described, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def origin() -> str:
    """The line."""
    python = f"Python {platform.python_version()}"
    return f"{date.today()}, {os.cpu_count()} cores of {processor()}, {platform.system()}, {python}, commit {commit()}"
