"""Published data sets: where each comes from, under which licence, and how its file is read.

``fetch`` looks for a set in the package, then in the folder that ``NOVIKOFF_DATA`` names, then at its public source.
"""

import csv
import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from ..errors import InputError, comma_list
from .downloads import Download, downloaded

MIRROR = "NOVIKOFF_DATA"
"""The environment variable that names a folder with the files, for machines without a network and for tests."""
GITHUB = "https://raw.githubusercontent.com"
BROWNLEE = f"{GITHUB}/jbrownlee/Datasets/d20fcb6402ae34e653d4513b00f39257bb37ed7f"
XGBOOST = f"{GITHUB}/dmlc/xgboost/379b29f0836b9dbc313b993d8e5743bd452d4117/demo/data"
LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary"
UCI = "CC BY 4.0 (UCI Machine Learning Repository)"


@dataclass(frozen=True)
class PublicSet:
    """A data set with its licence.

    ``files`` are its names in the folder of ``NOVIKOFF_DATA`` or in the package; ``downloads`` its public files, where
    scikit-learn has no fetcher for it; ``read`` makes data and target of either.
    """

    read: Callable[..., Bunch]
    files: tuple[str, ...]
    licence: str
    source: str
    downloads: tuple[Download, ...] = ()
    fetch: Callable[[], Bunch] | None = None


def fetch(name: str, *, verbose: int = 1) -> Bunch:
    """A published data set by its name, from the package, a local folder or its public source.

    A Bunch as scikit-learn's, with ``data``, ``target``, ``source``, ``licence`` and, where there are, ``train`` and
    ``test`` (the row numbers of the official split), ``feature_names``, ``target_names`` and ``filename`` (a file that
    the command reads).  Files are downloaded once, checked by their SHA-256, and kept in scikit-learn's data folder
    (``SCIKIT_LEARN_DATA``).  The folder in the environment variable ``NOVIKOFF_DATA`` is looked into before.

    >>> table = fetch("endometrial")
    >>> table.data.shape, table.feature_names
    ((79, 3), ['NV', 'PI', 'EH'])
    """
    if name not in PUBLIC_SETS:
        raise InputError(
            f"There is no data set {name!r}; choose one of {comma_list(PUBLIC_SETS, most=len(PUBLIC_SETS))}."
        )
    entry = PUBLIC_SETS[name]
    paths = local_files(entry)
    if paths:
        bunch = entry.read(*paths)
    elif entry.fetch:
        bunch = fetched_by_sklearn(name, entry.fetch)
    elif entry.downloads:
        bunch = entry.read(*(downloaded(name, file, verbose) for file in entry.downloads))
    else:
        raise InputError(
            f"{name} has no public file of this form: put {' and '.join(entry.files)} into a folder, and set "
            f"{MIRROR} to it."
        )
    return Bunch(**bunch, source=entry.source, licence=entry.licence)


def local_files(entry: PublicSet) -> list[Path]:
    """The files of a set in the package or in the folder of ``NOVIKOFF_DATA``, if all of them are there."""
    folders = [Path(__file__).parent, *([Path(os.environ[MIRROR])] if os.environ.get(MIRROR) else [])]
    for folder in folders:
        paths = [folder / file for file in entry.files]
        if all(path.is_file() for path in paths):
            return paths
    return []


def fetched_by_sklearn(name: str, fetcher: Callable[[], Bunch]) -> Bunch:
    """A set through scikit-learn's own fetcher; its failures in one sentence."""
    try:
        return fetcher()
    except OSError as error:
        raise InputError(
            f"{name} is not on this machine and could not be fetched ({error}): connect to the network, or put its "
            f"files into a folder and set {MIRROR} to it."
        ) from error


def table(path: Path, *targets: str) -> Bunch:
    """A CSV file with a header, as text; the target is one column or several."""
    with opened(path) as file:
        head, *rows = csv.reader(file)
    cells = np.array(rows, dtype=object)
    others = [j for j, name in enumerate(head) if name not in targets]
    y = cells[:, [head.index(name) for name in targets]]
    return Bunch(
        data=cells[:, others],
        target=y if len(targets) > 1 else y[:, 0],
        feature_names=[head[j] for j in others],
        filename=str(path),
    )


def numeric_table(path: Path, target: str) -> Bunch:
    """A CSV file of numbers with a header; the target is 0 or 1."""
    bunch = table(path, target)
    return Bunch(**{**bunch, "data": bunch.data.astype(float), "target": bunch.target.astype(float).astype(np.int8)})


def numbers(path: Path, names: tuple[str, ...]) -> Bunch:
    """An npz file, or a CSV file of numbers without a header whose last column is the class."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return Bunch(data=file["X"], target=file["y"], target_names=list(names))
    with opened(path) as file:
        rows = [row for row in csv.reader(file) if row]
    X = np.array([row[:-1] for row in rows], dtype=float)
    y = np.array([names.index(row[-1]) for row in rows], dtype=np.int8)
    return Bunch(data=X, target=y, target_names=list(names), filename=str(path))


def messages(path: Path) -> Bunch:
    """Lines of a class, a tab, and a text."""
    with opened(path) as file:
        lines = [line.rstrip("\n").split("\t", 1) for line in file]
    kinds, texts = zip(*lines, strict=True)
    return Bunch(data=np.array(texts, dtype=object), target=np.array(kinds), filename=str(path))


def sparse(*paths: Path, classes: bool = False) -> Bunch:
    """libsvm files, the second of them to be tested on; labels of two classes as 0 and 1."""
    import scipy.sparse as sp
    from sklearn.datasets import load_svmlight_files

    parts = load_svmlight_files([str(path) for path in paths])
    X, y = sp.vstack(parts[::2], format="csr"), np.concatenate(parts[1::2])
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # as scikit-learn's learners insist on
    bunch = Bunch(data=X, target=y.astype(np.int32) if classes else (y > 0).astype(np.int8), filename=str(paths[0]))
    return with_split(bunch, parts[0].shape[0]) if len(paths) > 1 else bunch


def with_split(bunch: Bunch, rows: int) -> Bunch:
    """The first rows to learn from, the others to be tested on."""
    return Bunch(**bunch, train=np.arange(rows), test=np.arange(rows, bunch.data.shape[0]))


def digits(path: Path) -> Bunch:
    """MNIST as an npz file of two parts."""
    with np.load(path, allow_pickle=False) as file:
        X, y = (np.concatenate([file[f"{part}_train"], file[f"{part}_test"]]) for part in "Xy")
        return with_split(Bunch(data=X, target=y, filename=str(path)), len(file["y_train"]))


def fetch_digits() -> Bunch:
    from sklearn.datasets import fetch_openml

    bunch = fetch_openml("mnist_784", version=1, as_frame=False, parser="auto")
    X, y = bunch.data.astype(np.uint8), bunch.target.astype(np.uint8)
    return with_split(Bunch(data=X, target=y), 60_000)


def fetch_spambase() -> Bunch:
    from sklearn.datasets import fetch_openml

    bunch = fetch_openml("spambase", version=1, as_frame=False, parser="auto")
    return Bunch(data=bunch.data.astype(float), target=bunch.target.astype(np.int8), target_names=["ham", "spam"])


def forest(path: Path) -> Bunch:
    """Covertype as an npz file: the numbers, and the two categories as columns of 0 and 1."""
    with np.load(path, allow_pickle=False) as file:
        eyes = np.eye(4, dtype=np.int16)[file["wilderness"]], np.eye(40, dtype=np.int16)[file["soil"]]
        return Bunch(data=np.hstack([file["X_num"], *eyes]), target=file["y"], filename=str(path))


def fetch_forest() -> Bunch:
    from sklearn.datasets import fetch_covtype

    bunch = fetch_covtype()
    return Bunch(data=bunch.data.astype(np.int16), target=bunch.target.astype(np.uint8))


def fetch_news() -> Bunch:
    import scipy.sparse as sp
    from sklearn.datasets import fetch_20newsgroups_vectorized

    train, test = (fetch_20newsgroups_vectorized(subset=part, normalize=False) for part in ("train", "test"))
    X = sp.vstack([train.data, test.data], format="csr").astype(float)
    bunch = Bunch(data=X, target=np.concatenate([train.target, test.target]).astype(np.int32))
    return with_split(bunch, train.data.shape[0])


def opened(path: Path) -> Any:
    """A text file, compressed or not."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="\n")
    return path.open(encoding="utf-8", newline="\n")


PUBLIC_SETS = {
    "dating": PublicSet(
        lambda path: table(path, "约会"), ("dating.csv",), "as this package", "the lecture notes of the course"
    ),
    "endometrial": PublicSet(
        partial(numeric_table, target="HG"),
        ("endometrial.csv",),
        "published table; R packages brglm2 and detectseparation (GPL) have it too",
        "Heinze and Schemper (2002), A solution to the problem of separation in logistic regression, "
        "Statistics in Medicine 21",
    ),
    "lizards": PublicSet(
        lambda path: table(path, "grahami", "opalinus"),
        ("lizards.csv",),
        "published table; R packages brglm2 and detectseparation (GPL) have it too",
        "Schoener (1970), Nonsynchronous spatial overlap of lizards in patchy habitats, Ecology 51; "
        "McCullagh and Nelder (1989), Generalized Linear Models, section 4.6",
    ),
    "silvapulle": PublicSet(
        partial(numeric_table, target="y"),
        ("silvapulle1981.csv",),
        "published table; R package detectseparation (GPL) has it too",
        "Silvapulle (1981), On the existence of maximum likelihood estimators for the binomial response models, "
        "Journal of the Royal Statistical Society B 43",
    ),
    "sonar": PublicSet(
        partial(numbers, names=("R", "M")),
        ("sonar.npz",),
        UCI,
        "Gorman and Sejnowski (1988), Connectionist Bench (Sonar, Mines vs. Rocks)",
        (Download(f"{BROWNLEE}/sonar.csv", "3079c09b5d2789a0f96aff82c28e5164fafe2495c5f8da96c6c256c1bd25763f", 87775),),
    ),
    "ionosphere": PublicSet(
        partial(numbers, names=("b", "g")),
        ("ionosphere.npz",),
        UCI,
        "Sigillito, Wing, Hutton and Baker (1989), Ionosphere",
        (
            Download(
                f"{BROWNLEE}/ionosphere.csv", "fd6dd7864b55d56dac0a1e6e24af9ccc35bf2555ac79af8ab9f3d1daa065ab83", 76466
            ),
        ),
    ),
    "banknote": PublicSet(
        partial(numbers, names=("0", "1")),
        ("banknote.npz",),
        UCI,
        "Lohweg (2012), Banknote Authentication",
        (
            Download(
                f"{BROWNLEE}/banknote_authentication.csv",
                "d0539aaed2139ba7a587b3e34fb345ce503ff7d5d33dbf9912d8e195ce425cb9",
                46400,
            ),
        ),
    ),
    "pima": PublicSet(
        partial(numbers, names=("0", "1")),
        ("pima.npz",),
        "not stated by its source; no longer in the UCI repository",
        "Smith, Everhart, Dickson, Knowler and Johannes (1988), Pima Indians Diabetes",
        (
            Download(
                f"{BROWNLEE}/pima-indians-diabetes.csv",
                "6bfe5d0f379d17a0e0819b996407e3c09bf80febd4287f2ed212190dfff154af",
                23278,
            ),
        ),
    ),
    "penguins": PublicSet(
        lambda path: table(path, "species"),
        ("penguins.csv.gz",),
        "CC0",
        "Horst, Hill and Gorman (2020), palmerpenguins",
        (
            Download(
                f"{GITHUB}/allisonhorst/palmerpenguins/8957207b78d6ccd1b4654a9dd9c9041b657478ab/inst/extdata/penguins.csv",
                "f204db2c753b0937caac3cb35258562c14f073e4bbc76be24b4c51ce22767a93",
                15241,
            ),
        ),
    ),
    "sms": PublicSet(
        messages,
        ("sms_spam_collection.tsv.gz",),
        UCI,
        "Almeida and Hidalgo (2011), SMS Spam Collection",
        (
            Download(
                f"{GITHUB}/justmarkham/pycon-2016-tutorial/5339710562cc46c4a32a369d63f1e8751a18a54e/data/sms.tsv",
                "7d039a24a6083ed9ef0f806ebad56bbb976e3aeb8de05669173bfdc4996c239d",
                477907,
            ),
        ),
    ),
    "heart": PublicSet(
        sparse,
        ("heart_scale.libsvm.gz",),
        UCI,
        "Statlog (Heart), scaled, as libsvm ships it",
        (
            Download(
                f"{GITHUB}/cjlin1/libsvm/6b907139084abf2da4d6d3cb10dc3b7eaffa2fbb/heart_scale",
                "5defa0a4c4c5bdaf3f55ae3828310252e8565c13ee37ce279e0b86d82e7f4ce9",
                27670,
            ),
        ),
    ),
    "mushrooms": PublicSet(
        sparse,
        ("mushrooms_agaricus.train.libsvm.gz", "mushrooms_agaricus.test.libsvm.gz"),
        UCI,
        "Mushroom (1981), from The Audubon Society Field Guide, as XGBoost ships it",
        (
            Download(
                f"{XGBOOST}/agaricus.txt.train",
                "915c2def06e9b44a306ad097fe8b6652c7c477d9c1e605bd2130ad20a70a8ad6",
                742257,
            ),
            Download(
                f"{XGBOOST}/agaricus.txt.test",
                "765db79391141953d890ce197fe828a621d6487fbba4de5e4d2217bd140371c0",
                183611,
            ),
        ),
    ),
    "a9a": PublicSet(
        sparse,
        ("a9a.libsvm.gz", "a9a.t.libsvm.gz"),
        UCI,
        "Becker and Kohavi (1996), Adult; Platt's features, from LIBSVM Data",
        (
            Download(f"{LIBSVM}/a9a", "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906", 2329875),
            Download(f"{LIBSVM}/a9a.t", "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9", 1164628),
        ),
    ),
    "spambase": PublicSet(
        partial(numbers, names=("ham", "spam")),
        ("spambase.npz",),
        UCI,
        "Hopkins, Reeber, Forman and Suermondt (1999), Spambase; OpenML 44",
        fetch=fetch_spambase,
    ),
    "mnist": PublicSet(
        digits,
        ("mnist.npz",),
        "CC BY-SA 3.0",
        "LeCun, Cortes and Burges (1998), MNIST; OpenML 554",
        fetch=fetch_digits,
    ),
    "covtype": PublicSet(
        forest,
        ("covtype.npz",),
        UCI,
        "Blackard (1998), Covertype, by scikit-learn's fetch_covtype",
        fetch=fetch_forest,
    ),
    "20news": PublicSet(
        partial(sparse, classes=True),
        ("20news_counts.train.libsvm.gz", "20news_counts.test.libsvm.gz"),
        UCI,
        "Lang (1995), 20 Newsgroups by date, by scikit-learn's fetch_20newsgroups_vectorized",
        fetch=fetch_news,
    ),
    "imdb": PublicSet(
        sparse,
        ("imdb_counts_mindf5.train.libsvm.gz", "imdb_counts_mindf5.test.libsvm.gz"),
        "not stated by its source, which asks to be cited",
        "Maas, Daly, Pham, Huang, Ng and Potts (2011), Large Movie Review Dataset: counts of words in at least five "
        "reviews",
    ),
}
"""All sets by name."""
