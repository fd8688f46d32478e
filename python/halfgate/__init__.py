"""Two parties compute a function of their private data, and neither sees the other's.

>>> import halfgate as hg
>>> @hg.function(garbler={"a": hg.u32}, evaluator={"b": hg.u32})
... def richer(a, b):
...     return a > b
>>> bool(richer.run(a=5, b=3))
True
"""

from . import errors, programs
from .ahead import Preprocessing
from .api import (
    argsort,
    bitwise_count,
    broadcast_to,
    ceil,
    clip,
    concatenate,
    constant,
    cumsum,
    diff,
    dot,
    expand_dims,
    flip,
    floor,
    hstack,
    isnan,
    matmul,
    maximum,
    minimum,
    outer,
    rint,
    sort,
    sqrt,
    stack,
    take,
    topk,
    trunc,
    unique_count,
    vstack,
    where,
)
from .cost import Cost
from .dtypes import (
    ArrayType,
    DType,
    bool_,
    f32,
    f64,
    fixed,
    i8,
    i16,
    i32,
    i64,
    iN,
    u8,
    u16,
    u32,
    u64,
    ufixed,
    uN,
)
from .machines import Machine, engines
from .errors import HalfgateError
from .function import Function, function
from .program import Program, circuit
from .report import Measured, Report
from .secret import Secret
from .session import (
    Listener,
    Session,
    bind,
    connect,
    connect_async,
    keygen,
    listen,
    listen_async,
)
from .structured import cond, fold, map, shared

__version__ = "0.1.0"

__all__ = [
    "ArrayType",
    "Cost",
    "DType",
    "Function",
    "HalfgateError",
    "Listener",
    "Machine",
    "Measured",
    "Preprocessing",
    "Program",
    "Report",
    "Secret",
    "Session",
    "argsort",
    "bind",
    "bitwise_count",
    "bool_",
    "broadcast_to",
    "ceil",
    "circuit",
    "clip",
    "concatenate",
    "cond",
    "connect",
    "connect_async",
    "constant",
    "cumsum",
    "diff",
    "dot",
    "engines",
    "errors",
    "expand_dims",
    "f32",
    "f64",
    "fixed",
    "flip",
    "floor",
    "fold",
    "function",
    "hstack",
    "i16",
    "i32",
    "i64",
    "i8",
    "iN",
    "isnan",
    "keygen",
    "listen",
    "listen_async",
    "map",
    "matmul",
    "maximum",
    "minimum",
    "outer",
    "programs",
    "rint",
    "shared",
    "sort",
    "sqrt",
    "stack",
    "take",
    "topk",
    "trunc",
    "u16",
    "u32",
    "u64",
    "u8",
    "uN",
    "ufixed",
    "unique_count",
    "vstack",
    "where",
]
