"""A tab with the lab in it, for the tests in a real browser."""

import re
import shutil
import subprocess
import sys

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
QUIET += ["--disable-background-networking", "--disable-component-update"]
QUIET += ["--renderer-process-limit=1", "--process-per-site"]  # not a process for every tab


@pytest.fixture(scope="session")
def address():
    """A lab of its own, on a free port."""
    command = [sys.executable, "-m", "novikoff.lab", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lab:
        try:
            yield re.search(r"http://\S+/", lab.stdout.readline()).group()
        finally:
            lab.terminate()


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="NO BROWSER TESTS: playwright is not installed")
    pytest.importorskip("axe_playwright_python", reason="NO BROWSER TESTS: axe is not installed")
    if CHROMIUM is None:
        pytest.skip("NO BROWSER TESTS: there is no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


def violations(page, **options):
    """What axe finds fault with."""
    from axe_playwright_python.sync_playwright import Axe

    return Axe().run(page, **options).response["violations"]


class Lab:
    """A tab with the lab in it."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        self.asked, self.faults = [], []
        page.set_default_timeout(60_000)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", self.heard)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def heard(self, message):
        """Note an error; that a request was refused (422, 503) is an answer, which the page puts into words."""
        if message.type == "error" and not re.search("422|503", message.text):
            self.faults.append(message.text)

    def open(self, hash_=""):
        self.page.goto("about:blank")
        self.page.goto(self.address + hash_)
        self.page.wait_for_selector("body[data-ready]")
        return self

    def follow(self, hash_):
        """Go to another address of the same page, and wait until its run is drawn."""
        before = self.runs()
        self.page.evaluate("hash => { location.hash = hash }", hash_)
        self.until(lambda: self.runs() > before and self.settled())

    def settled(self):
        return self.page.get_attribute("body", "data-pending") == "false"

    def runs(self):
        return int(self.page.evaluate("document.body.dataset.ready"))

    def after(self, deed):
        """Do something, and wait until the run that it asks for is drawn."""
        before = self.runs()
        deed()
        self.until(lambda: self.runs() > before and self.settled())

    def until(self, true):
        """Wait; the page's policy does not let the driver wait inside it."""
        for _ in range(4000):  # a learner may be compiled meanwhile
            if true():
                return
            self.page.wait_for_timeout(30)
        raise AssertionError("the page did not get there")

    def choose(self, control, value):
        self.after(lambda: self.page.select_option(control, value))

    def at(self, x, y):
        """Where a place of the plane, in parts of it from below left, is on the screen."""
        box = self.page.locator("#plane").bounding_box()
        return box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]

    def link(self):
        """The address, once it holds what is looked at."""
        self.until(lambda: self.page.get_attribute("body", "data-address") != "behind")
        return self.page.evaluate("location.hash")

    def points(self):
        text = re.search(r"points=(.*)$", self.link()).group(1)
        return [tuple(map(float, point.split(","))) for point in text.split(";") if point]

    def text(self, selector):
        return self.page.locator(selector).inner_text()


@pytest.fixture
def make(browser, address):
    """Tabs, which must all have kept to themselves and met no fault."""
    labs = []

    def made(hash_="#lang=en&preset=and&step=end", **options):
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
        labs.append(Lab(browser.new_context(**options).new_page(), address))
        return labs[-1].open(hash_)

    yield made
    for lab in labs:
        assert lab.faults == []
        assert all(url.startswith((address, "data:", "blob:")) for url in lab.asked)
        lab.page.context.close()
