"""What a fresh machine meets: import, first fit, cache, memory."""

import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import novikoff

ROOT = Path(__file__).parents[1]
PACKAGE = Path(novikoff.__file__).parent
LOCKS = ROOT / "requirements"
FIT = "from novikoff import Perceptron; print(Perceptron().fit([[0.0], [1.0]], [0, 1]).status_)"


def python(code, **environment):
    """Run code in a new process and return what it printed."""
    result = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_importing_compiles_nothing_and_is_quick():
    """The time is taken as a ratio to scikit-learn's own import, which takes one to two seconds."""
    code = """
import json, time
start = time.perf_counter()
import sklearn.linear_model
middle = time.perf_counter()
import novikoff
end = time.perf_counter()
from novikoff.passes import linear, orders
compiled = [f for m in (linear, orders) for f in vars(m).values() if getattr(f, "signatures", None)]
print(json.dumps([len(compiled), (end - middle) / (middle - start)]))
"""
    for _ in range(3):  # on a busy machine, the least of three
        compiled, ratio = json.loads(python(code))
        assert compiled == 0
        if ratio < 0.4:
            return
    pytest.fail(f"importing novikoff took {ratio:.2f} times as long as scikit-learn")


def test_importing_asks_no_network_starts_nothing_and_writes_only_compiled_code(tmp_path):
    """Of ours and of all that it imports: the interpreter tells what is done while every public name is taken."""
    code = """
import json, os, sys
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
done = set()

def watch(event, arguments):
    if event.startswith(("socket.", "subprocess.", "urllib.", "os.exec", "os.fork", "os.posix_spawn", "os.system")):
        done.add((event, ""))
    if event in ("os.mkdir", "os.remove", "os.rename") or (event == "open" and arguments[2] & WRITING):
        done.add((event, str(arguments[0])))

sys.addaudithook(watch)
import novikoff
for name in novikoff.__all__:
    getattr(novikoff, name)
print(json.dumps(sorted(done)))
"""
    done = json.loads(python(code, NUMBA_CACHE_DIR=str(tmp_path), PYTHONDONTWRITEBYTECODE="1"))
    assert done  # Numba tries whether the folder of compiled code can be written
    assert not [(event, path) for event, path in done if not path.startswith(str(tmp_path))]


def test_a_second_process_takes_the_code_from_the_disk(tmp_path):
    code = f"""
{FIT}
from novikoff.passes import linear
print(sum(linear.two_classes.stats.cache_hits.values()), sum(linear.two_classes.stats.cache_misses.values()))
"""
    first = python(code, NUMBA_CACHE_DIR=str(tmp_path))
    second = python(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert first.split() == ["separated", "0", "1"]
    assert second.split() == ["separated", "1", "0"]


@pytest.mark.skipif(not hasattr(os, "chmod"), reason="no permissions to take away")
@pytest.mark.parametrize("home", ["writable", "nowhere"])
def test_a_read_only_install_works(tmp_path, home):
    """Also for a user who may write everything: the folders are then files, in which nothing can be made."""
    target = tmp_path / "site"
    shutil.copytree(PACKAGE, target / "novikoff", ignore=shutil.ignore_patterns("__pycache__"))
    (target / "novikoff" / "passes" / "__pycache__").touch()
    for folder in (target / "novikoff" / "passes", target / "novikoff"):
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    house = tmp_path / "home"
    if home == "writable":
        house.mkdir()
    else:
        house.touch()
    environment = {"PYTHONPATH": str(target), "HOME": str(house), "XDG_CACHE_HOME": str(house / "cache")}
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "LOCALAPPDATA": str(house / "cache")}
    code = f"import novikoff; print(novikoff.__file__); {FIT}"
    where, status = python(code, **environment).split()
    assert where.startswith(str(target))
    assert status == "separated"


def test_the_name_of_cached_code_depends_on_all_passes(tmp_path, monkeypatch):
    from novikoff.passes import compiled

    assert compiled.digest() == compiled.VERSION
    shutil.copytree(PACKAGE / "passes", tmp_path / "passes")
    monkeypatch.setattr(compiled.resources, "files", lambda _: tmp_path / "passes")
    assert compiled.digest() == compiled.VERSION
    with (tmp_path / "passes" / "rows.py").open("a") as file:
        file.write("\n")
    assert compiled.digest() != compiled.VERSION


KINDS = ("dense uint8, ten classes", "sparse", "dense float32", "Fortran")


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak memory as Linux gives it")
@pytest.mark.parametrize("kind", KINDS if "NOVIKOFF_LONG" in os.environ else KINDS[:2])
def test_fitting_takes_little_memory_beyond_the_data(kind):
    code = f"""
import resource, warnings
import numpy as np, scipy.sparse as sp
from novikoff import Perceptron
warnings.simplefilter("ignore")
kind = {kind!r}
rng = np.random.default_rng(0)
if kind == "sparse":
    columns = rng.integers(0, 20, (200_000, 50), dtype=np.int32) + 20 * np.arange(50, dtype=np.int32)
    values = rng.random(columns.size, dtype=np.float32)
    X = sp.csr_matrix((values, columns.ravel(), 50 * np.arange(200_001)), (200_000, 1000))
    size = X.data.nbytes + X.indices.nbytes
else:
    X = rng.integers(0, 200, (200_000 if "uint8" in kind else 100_000, 400), dtype=np.uint8)
    X = X if "uint8" in kind else X.astype(np.float32, order="F" if kind == "Fortran" else "C")
    size = X.nbytes
y = rng.integers(0, 10 if "ten" in kind else 2, X.shape[0])
Perceptron(max_iter=1).fit(X[:5000], y[:5000])
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
Perceptron(max_iter=2).fit(X, y)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(size, peak - base)
"""
    size, extra = map(int, python(code).split())
    assert size > 70e6
    assert extra < 0.1 * size + 50e6


def pinned(lock):
    """The packages of a lock in their versions, each with its hashes."""
    text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    return {(line.split()[0], *re.findall("--hash=(.*?)(?: |$)", line)) for line in text.splitlines()}


def test_locks_agree_and_have_a_hash_of_every_file():
    everything = pinned(LOCKS / "all.lock")
    for package, *hashes in everything:
        assert re.fullmatch(r"[\w.\[\]-]+==[\w.+!-]+", package)
        assert hashes
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", one) for one in hashes), package
    assert {lock.stem for lock in LOCKS.iterdir()} == {"all", "package", "dev", "docs", "bench", "release"}
    for lock in LOCKS.iterdir():
        assert pinned(lock) <= everything, lock.name


def test_make_installs_nothing_without_a_hash_but_the_project_itself():
    recipes = (LOCKS.parent / "Makefile").read_text(encoding="utf-8")
    asked = re.findall(r"\$\(PIP\) (.*)", recipes)
    assert asked
    assert {words.split()[0] for words in asked} == {"--require-hashes", "--no-deps"}


@pytest.mark.parametrize(("file", "pattern"), [("CITATION.cff", r"^version: (\S+)"), ("CHANGELOG.md", r"^## (\S+)")])
def test_the_version_is_told_alike(file, pattern):
    text = Path(__file__).parents[1].joinpath(file).read_text(encoding="utf-8")
    assert re.search(pattern, text, re.MULTILINE)[1] == novikoff.__version__


USER_PROJECT = """
import numpy as np
from novikoff import Certificate, Perceptron, certify, check, datasets, separation


def verdict(X: np.ndarray, y: np.ndarray) -> str:
    certificate: Certificate = certify(X, y)
    if not check(certificate, X, y):
        raise SystemExit("refused")
    return certificate.verdict


X, y = datasets.logic_gate("xor")
Perceptron(max_iter=10).fit(X, y)
text: str = verdict(X, y)
finite: dict[str, str] = separation(X, y).coefficients
"""


def test_the_types_are_there_for_those_who_use_it(tmp_path):
    """A project that mypy checks strictly sees our types: a file without a fault, and the mistakes of another."""
    pytest.importorskip("mypy")
    (tmp_path / "right.py").write_text(USER_PROJECT)
    mistakes = "number: int = verdict(X, y)\nseparation(X, y).coeficients\n"
    (tmp_path / "wrong.py").write_text(USER_PROJECT + mistakes)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "right.py", "wrong.py"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).stdout
    assert 'expression has type "str", variable has type "int"' in found
    assert '"Separation" has no attribute "coeficients"' in found
    assert found.endswith("Found 2 errors in 1 file (checked 2 source files)\n")


PLAIN = """
import tools.interpreted
import numpy as np, scipy.sparse as sp
from novikoff import KernelPerceptron, Perceptron
X = np.random.default_rng(0).integers(0, 3, (12, 4)).astype(float)
for data in (X, sp.csr_matrix(X)):
    for classes in (2, 3):
        print(Perceptron(max_iter=3, tol=0).fit(data, np.arange(12) % classes).coef_.tolist())
print(KernelPerceptron(kernel="poly", max_iter=3).fit(X, np.arange(12) % 2).support_.tolist())
"""


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_passes_run_as_plain_python_too():
    """What is written for the compiler alone has something in its place, as make coverage needs it."""
    if not (ROOT / "tools").is_dir():
        pytest.skip("the tools come with a checkout only")
    compiled = io.StringIO()
    with redirect_stdout(compiled):
        exec(PLAIN.replace("import tools.interpreted", ""), {})
    command = [sys.executable, "-W", "ignore", "-c", PLAIN]
    plain = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert (plain.returncode, plain.stderr) == (0, "")
    assert plain.stdout == compiled.getvalue() != ""
