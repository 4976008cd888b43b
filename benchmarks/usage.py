"""Runs a command and writes its seconds and the kilobytes that it had at most: ``python usage.py RESULT COMMAND …``.

A process of its own, and a small one, as the peak that Linux tells of a child is never below that of its parent.
"""

import os
import subprocess
import sys
import time

if __name__ == "__main__":
    start = time.perf_counter()
    process = subprocess.Popen(sys.argv[2:])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write(f"{seconds} {usage.ru_maxrss}")
    process.returncode = os.waitstatus_to_exitcode(status)
    sys.exit(process.returncode)
