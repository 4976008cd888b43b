"""The main job on data built into the package: learn, and say what was proved."""

import time

from rich.console import Console
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from novikoff import Perceptron, datasets


def data():
    """Name, rows and labels of every set."""
    for gate in ("and", "or", "xor"):
        yield (gate.upper(), *datasets.logic_gate(gate))
    table = datasets.dating()
    X = OneHotEncoder().fit_transform(table.data)
    yield "dating, training rows", X[table.train], table.target[table.train]
    yield "dating, all rows", X, table.target
    iris = load_iris()
    yield "iris: setosa or not", iris.data, iris.target_names[iris.target] == "setosa"
    X, y = load_breast_cancer(return_X_y=True)
    yield "breast cancer", StandardScaler().fit_transform(X), y
    yield ("20000 rows, margin 0.005", *datasets.planted_margin(20000, 50, 0.005, random_state=0))


def proof(model):
    """What the run proved, in a line."""
    if model.status_ == "inseparable":
        weighed = ", ".join(f"{weight:g}×row {i}" for i, weight in model.certificate_.witness.items())
        return f"no plane separates them, as the signed rows sum to zero: {weighed}"
    return f"a plane has margin {model.margin_:.4g}, and none has more than {model.margin_bound_:.4g}"


def main():
    console = Console(highlight=False)
    console.print("[bold]What the perceptron learned and proved[/bold]\n")
    for name, X, y in data():
        model = Perceptron(order="active", tol=None, max_iter=10**5)
        start = time.perf_counter()
        model.fit(X, y)
        seconds = time.perf_counter() - start
        bound = f" of at most {model.mistake_bound_:,.0f}" if model.status_ == "separated" else ""
        console.print(f"[bold]{name}[/bold]: {model.status_}, {model.n_updates_:,} updates{bound} ({seconds:.2f} s)")
        console.print(f"    {proof(model)}")
    console.print("\n“At most” is Novikoff's bound r²/ρ² with the margin reached; the first fit also compiles.")


if __name__ == "__main__":
    main()
