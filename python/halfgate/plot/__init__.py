"""Pictures of programs, sessions, machines and recorded results. Needs matplotlib.

>>> import halfgate as hg, halfgate.plot                                        # doctest: +SKIP
>>> halfgate.plot.cost(program).save("cost.svg")                                # doctest: +SKIP

The command ``python -m halfgate.plot records bench/results --out pictures`` draws the tables and
figures of the papers.
"""

from __future__ import annotations

try:
    import matplotlib as _matplotlib  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"halfgate.plot needs matplotlib ({error}): pip install 'halfgate[plot]'"
    ) from None

from .board import history, scoreboard
from .drawn import Drawn, records
from .machines import machine
from .programs import cost, program
from .reading import RecordError
from .sessions import Timeline, session
from .style import Picture

__all__ = [
    "Drawn",
    "Picture",
    "RecordError",
    "Timeline",
    "cost",
    "history",
    "machine",
    "program",
    "records",
    "scoreboard",
    "session",
]
