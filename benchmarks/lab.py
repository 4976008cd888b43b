"""What the lab has to reach: start, first load, a step, a trace, and many requests; ``python benchmarks/lab.py``."""

import json
import math
import re
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection

from origin import origin
from rich.console import Console
from rich.table import Table

from novikoff import datasets
from novikoff.lab import presets

RATE, SECONDS, REPEATS, DRAG = 50, 30, 7, 5
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]

START = """
import time
from novikoff.lab import server
import threading, urllib.request
start = time.perf_counter()
listener = server.open_socket("127.0.0.1", 0)
lab = server.make_server(server.make_app())
threading.Thread(target=lab.run, kwargs={"sockets": [listener]}, daemon=True).start()
urllib.request.urlopen(f"http://127.0.0.1:{listener.getsockname()[1]}/").read()
print(time.perf_counter() - start)
"""

STEPS = """() => {
  const step = document.getElementById("step");
  const times = [];
  while (!step.disabled && times.length < 300) {
    const start = performance.now();
    step.click();
    document.getElementById("side").getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""


@contextmanager
def running():
    """A lab in a process of its own; yields its port."""
    command = [sys.executable, "-m", "novikoff.lab", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lab:
        try:
            yield int(re.search(r":(\d+)/", lab.stdout.readline()).group(1))
        finally:
            lab.terminate()


def asked(port, request):
    """Seconds that a run takes from the outside, and its answer."""
    start = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/api/run", json.dumps(request), {"content-type": "application/json"})
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    if reply.status != 200:
        raise RuntimeError(body.decode())
    return time.perf_counter() - start, json.loads(body)


def clouds(count, overlap):
    """This many points, separable with a margin or not at all."""
    X, y = presets.blobs(1.2, 0, count) if overlap else datasets.planted_margin(count, 2, 0.1, random_state=0)
    return [[float(a), float(b), int(c > 0)] for (a, b), c in zip(X, y, strict=True)]


def cold_start():
    """Best time from the end of the imports to the first page."""
    done = (subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True) for _ in range(3))
    return min(float(one.stdout) for one in done)


def traces(port):
    """Best time of a run of 200 points, with a margin and overlapping."""
    for overlap in (False, True):
        for learner in ("perceptron", "pocket", "kernel"):
            request = {"points": clouds(200, overlap), "learner": learner}
            answers = [asked(port, request) for _ in range(REPEATS)]
            steps = len(answers[0][1]["steps"]["rows"])
            name = f"trace of 200 points that {'overlap' if overlap else 'separate'}, {learner}, {steps} steps"
            yield name, min(seconds for seconds, _ in answers)


def load(port):
    """Errors, and times of the answers, of so many requests a second."""
    requests = [
        {"points": clouds(60, False)},
        {"points": presets.points("xor")},
        {"points": clouds(60, False), "learner": "averaged"},
        {"points": clouds(40, True), "learner": "averaged"},
    ]
    started, failures = time.perf_counter(), []

    def one(k):
        time.sleep(max(0.0, started + k / RATE - time.perf_counter()))
        try:
            return asked(port, requests[k % len(requests)])[0]
        except (OSError, RuntimeError) as error:
            failures.append(error)
            return float("nan")

    with ThreadPoolExecutor(64) as pool:
        times = list(pool.map(one, range(RATE * SECONDS)))
    return len(failures), sorted(times), time.perf_counter() - started


def in_browser(port):
    """Seconds and bytes of a first load; milliseconds of a step."""
    from playwright.sync_api import sync_playwright

    address = f"http://127.0.0.1:{port}/#lang=en&preset="
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        loads, sizes = [], []
        for _ in range(REPEATS):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            wire = context.new_cdp_session(page)
            wire.send("Network.enable")
            got = []
            wire.on("Network.loadingFinished", lambda event, got=got: got.append(event["encodedDataLength"]))
            start = time.perf_counter()
            page.goto(address + "and")
            page.wait_for_selector("body[data-ready]")
            loads.append(time.perf_counter() - start)
            sizes.append(sum(got))
            context.close()
        steps = {}
        for name in ("overlap", "iris&iris=0,1,1", "spirals&learner=kernel&p.gamma=20", "overlap&learner=xor-features"):
            page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
            page.goto(address + name)
            page.wait_for_selector("body[data-ready]")
            steps[name] = page.evaluate(STEPS)
            page.close()
        redraws = drag(browser, address)
        browser.close()
    return min(loads), max(sizes), steps, redraws


def drag(browser, address):
    """Redraws a second while one of 100 points is dragged."""
    points = ";".join(f"{x:.3f},{y:.3f},{c}" for x, y, c in clouds(100, False))
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address.split("#")[0] + f"#points={points}")
    page.wait_for_selector("body[data-ready]")
    box = page.locator("[data-point='0']").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    before, start = int(page.get_attribute("body", "data-ready")), time.perf_counter()
    while time.perf_counter() - start < DRAG:
        page.mouse.move(x + 20 * math.sin(5 * time.perf_counter()), y + 20 * math.cos(5 * time.perf_counter()))
    shown = int(page.get_attribute("body", "data-ready")) - before
    page.close()
    return shown / DRAG


def main():
    table = Table(title="The lab")
    for name in ("what", "measured", "target"):
        table.add_column(name, justify="left" if name == "what" else "right")
    table.add_row("start after imports", f"{cold_start():.2f} s", "1 s")
    with running() as port:
        for name in ("perceptron", "pocket", "averaged", "kernel", "xor-features"):
            asked(port, {"points": presets.points("and"), "learner": name})  # compiles on a fresh machine
        if CHROMIUM:
            seconds, size, steps, redraws = in_browser(port)
            table.add_row("first load", f"{seconds:.2f} s", "0.5 s")
            table.add_row("first load, on the wire", f"{size / 1000:.0f} KB", "150 KB")
            table.add_row("redraws while one of 100 points is dragged", f"{redraws:.0f} a second", "15 a second")
            for name, times in steps.items():
                middle, most = statistics.median(times), sorted(times)[int(0.95 * len(times))]
                table.add_row(f"a step, {name}", f"{middle:.1f} ms, 95 % in {most:.1f} ms", "16 ms")
        for name, seconds in traces(port):
            table.add_row(name, f"{1000 * seconds:.0f} ms", "150 ms")
        errors, times, took = load(port)
        table.add_row(f"{RATE} requests/s for {SECONDS} s: errors", str(errors), "0")
        table.add_row("  answered in", f"{took:.1f} s", f"{SECONDS} s")
        table.add_row("  median, 99 %", f"{1000 * times[len(times) // 2]:.0f} ms, {1000 * times[-15]:.0f} ms", "")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
    print(origin())
