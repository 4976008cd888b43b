"""The benchmarks: one table of ratios, every pair measured in this process on the same arrays.

Compile time is reported apart.  ``python benchmarks/run.py [word …]`` runs the rows whose work or peer has one of
the words.
Real data is read from the folder NOVIKOFF_DATA (by default ../shared/data beside the project) and left out, with a
word on it, where that is not there.
"""

import sys
import warnings

from measure import Row, table
from origin import origin
from sklearn.exceptions import ConvergenceWarning
from work import ROWS

if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    wanted = sys.argv[1:]
    rows: list[Row] = [row for row in ROWS if not wanted or any(word in f"{row.name} {row.peer}" for word in wanted)]
    table(rows)
    print(origin())
