"""Secret arrays: proxies whose operators add nodes to the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, NoReturn

from . import indexing, numbers, reductions
from .dtypes import DType, as_type, bool_
from .errors import BranchError, DTypeError, ShapeError, UnsupportedError
from .trace import Trace, line

Axis = int | tuple[int, ...] | None


class Secret:
    """An array of secret values while a function is traced. It has no value, only a type.

    Operators work as NumPy's: they broadcast, integers wrap, ``//`` and ``%`` round down, and
    division of an integer by 0 gives 0. A public operand may be a Python number or an array.
    """

    __slots__ = ("_trace", "_node", "dtype", "shape", "line", "_parameter")
    #: Series of pandas leave operators to a secret, as arrays do.
    __pandas_priority__ = 1_000_000

    def __init__(
        self,
        trace: Trace,
        node: int,
        dtype: DType,
        shape: tuple[int, ...],
        where: str | None = None,
        parameter: str | None = None,
    ) -> None:
        self._trace = trace
        self._node = node
        #: Type of an element.
        self.dtype = dtype
        #: Lengths of the axes.
        self.shape = shape
        #: The source line that made it; of an input, that of the function.
        self.line = line() if where is None else where
        self._parameter = parameter

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        size = 1
        for part in self.shape:
            size *= part
        return size

    def __repr__(self) -> str:
        shape = f"[{', '.join(map(str, self.shape))}]" if self.shape else ""
        return f"<secret {self.dtype!r}{shape} {self._origin}>"

    @property
    def _origin(self) -> str:
        """Where it comes from, for messages."""
        if self._parameter is None:
            return f"made at {self.line}"
        return f"that is the input {self._parameter} of {self._trace.name}, {self.line}"

    # Arithmetic

    def __add__(self, other: Any) -> Secret:
        return numbers.arithmetic("add", self, other)

    def __radd__(self, other: Any) -> Secret:
        return numbers.arithmetic("add", other, self)

    def __sub__(self, other: Any) -> Secret:
        return numbers.arithmetic("sub", self, other)

    def __rsub__(self, other: Any) -> Secret:
        return numbers.arithmetic("sub", other, self)

    def __mul__(self, other: Any) -> Secret:
        return numbers.arithmetic("mul", self, other)

    def __rmul__(self, other: Any) -> Secret:
        return numbers.arithmetic("mul", other, self)

    def __truediv__(self, other: Any) -> Secret:
        return numbers.true_divide(self, other)

    def __rtruediv__(self, other: Any) -> Secret:
        return numbers.true_divide(other, self)

    def __floordiv__(self, other: Any) -> Secret:
        return numbers.arithmetic("div", self, other, integers=True)

    def __rfloordiv__(self, other: Any) -> Secret:
        return numbers.arithmetic("div", other, self, integers=True)

    def __mod__(self, other: Any) -> Secret:
        return numbers.arithmetic("mod", self, other, integers=True)

    def __rmod__(self, other: Any) -> Secret:
        return numbers.arithmetic("mod", other, self, integers=True)

    def __divmod__(self, other: Any) -> tuple[Secret, Secret]:
        return self // other, self % other

    def __pow__(self, exponent: Any) -> Secret:
        return numbers.power(self, exponent)

    def __rpow__(self, _: Any) -> NoReturn:
        from . import of_numpy

        raise of_numpy.secret_exponent()

    def __neg__(self) -> Secret:
        return numbers.negative(self)

    def __pos__(self) -> Secret:
        return self

    def __abs__(self) -> Secret:
        return numbers.absolute(self)

    # Bits

    def __and__(self, other: Any) -> Secret:
        return numbers.bitwise("and", self, other)

    def __rand__(self, other: Any) -> Secret:
        return numbers.bitwise("and", other, self)

    def __or__(self, other: Any) -> Secret:
        return numbers.bitwise("or", self, other)

    def __ror__(self, other: Any) -> Secret:
        return numbers.bitwise("or", other, self)

    def __xor__(self, other: Any) -> Secret:
        return numbers.bitwise("xor", self, other)

    def __rxor__(self, other: Any) -> Secret:
        return numbers.bitwise("xor", other, self)

    def __invert__(self) -> Secret:
        return numbers.invert(self)

    def __lshift__(self, amount: Any) -> Secret:
        return numbers.shift("shl", self, amount)

    def __rlshift__(self, value: Any) -> Secret:
        return numbers.shift("shl", value, self)

    def __rshift__(self, amount: Any) -> Secret:
        return numbers.shift("shr", self, amount)

    def __rrshift__(self, value: Any) -> Secret:
        return numbers.shift("shr", value, self)

    # Comparisons

    def __eq__(self, other: Any) -> Secret:  # type: ignore[override]
        return numbers.compare("eq", self, other)

    def __ne__(self, other: Any) -> Secret:  # type: ignore[override]
        return numbers.compare("ne", self, other)

    def __lt__(self, other: Any) -> Secret:
        return numbers.compare("lt", self, other)

    def __le__(self, other: Any) -> Secret:
        return numbers.compare("le", self, other)

    def __gt__(self, other: Any) -> Secret:
        return numbers.compare("lt", other, self)

    def __ge__(self, other: Any) -> Secret:
        return numbers.compare("le", other, self)

    # Products of matrices

    def __matmul__(self, other: Any) -> Secret:
        return reductions.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Secret:
        return reductions.matmul(other, self)

    def dot(self, other: Any) -> Secret:
        """As ``numpy.dot``, for arrays of at most two axes."""
        return reductions.dot(self, other)

    # Types and shapes

    def astype(self, dtype: Any) -> Secret:
        """Converts each element. Integers wrap; floats lose their fraction, and out of range they
        become the nearest integer; fixed point is rounded. The type may be NumPy's."""
        return numbers.cast(self, as_type(dtype, f"{line()}: astype"))

    def __getitem__(self, key: Any) -> Secret:
        return indexing.getitem(self, key)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise DTypeError(
            f"{line()}: a secret array cannot be assigned to: make a new one with hg.where, "
            "hg.concatenate or hg.stack"
        )

    def __len__(self) -> int:
        if not self.shape:
            raise ShapeError(f"{line()}: a secret scalar has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Secret]:
        return (self[index] for index in range(len(self)))

    def reshape(self, *shape: int | tuple[int, ...]) -> Secret:
        """The elements in another shape; one length may be -1."""
        return indexing.reshape(self, shape)

    def ravel(self) -> Secret:
        """The elements in one axis."""
        return indexing.reshape(self, (-1,))

    flatten = ravel

    def transpose(self, *axes: int | tuple[int, ...]) -> Secret:
        """The axes in another order, reversed by default."""
        return indexing.transpose(self, axes)

    @property
    def T(self) -> Secret:
        """The transpose."""
        return indexing.transpose(self, ())

    # Reductions

    def sum(self, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Secret:
        """The sum along axes. As in NumPy, integers are summed in 64 bits unless `dtype` is set.
        Only the bits that the sum needs cost anything."""
        return reductions.accumulate("sum", self, axis, dtype, keepdims)

    def prod(self, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Secret:
        """The product along axes, in 64 bits for integers unless `dtype` is set."""
        return reductions.accumulate("prod", self, axis, dtype, keepdims)

    def cumsum(self, axis: int | None = None, dtype: Any = None) -> Secret:
        """The sums of the first elements along an axis, or of all in their order. Integers are
        summed in 64 bits unless `dtype` is set; only the bits that the sums need cost anything."""
        return reductions.cumsum(self, axis, dtype)

    def mean(self, axis: Axis = None, keepdims: bool = False) -> Secret:
        """The mean along axes; binary64 for integers."""
        return reductions.mean(self, axis, keepdims)

    def var(self, axis: Axis = None, ddof: float = 0, keepdims: bool = False) -> Secret:
        """The variance along axes; binary64 but for floats."""
        return reductions.variance(self, axis, ddof, keepdims)

    def std(self, axis: Axis = None, ddof: float = 0, keepdims: bool = False) -> Secret:
        """The standard deviation along axes; binary64 but for floats."""
        return numbers.of_floats("sqrt", reductions.variance(self, axis, ddof, keepdims))

    def min(self, axis: Axis = None, keepdims: bool = False) -> Secret:
        """The least element along axes; a NaN if there is one."""
        return reductions.reduce("min", self, axis, keepdims)

    def max(self, axis: Axis = None, keepdims: bool = False) -> Secret:
        """The largest element along axes; a NaN if there is one."""
        return reductions.reduce("max", self, axis, keepdims)

    def all(self, axis: Axis = None, keepdims: bool = False) -> Secret:
        """Whether all elements along axes are not 0."""
        return reductions.reduce("all", self.astype(bool_), axis, keepdims)

    def any(self, axis: Axis = None, keepdims: bool = False) -> Secret:
        """Whether an element along axes is not 0."""
        return reductions.reduce("any", self.astype(bool_), axis, keepdims)

    def argmax(self, axis: int | None = None) -> Secret:
        """The index of the first largest element, an ``hg.i64``."""
        return reductions.arg_extreme(self, True, axis)

    def argmin(self, axis: int | None = None) -> Secret:
        """The index of the first least element, an ``hg.i64``."""
        return reductions.arg_extreme(self, False, axis)

    # What Python may not do with a secret

    def __bool__(self) -> NoReturn:
        raise BranchError(
            f"{line()}: Python cannot branch on the secret {self._origin}. Instead of "
            "`if c: x = a` write `x = hg.where(c, a, x)` or hg.cond; instead of `and`, `or`, "
            "`not` write &, |, ~; instead of `while` write a loop of fixed length, or hg.fold"
        )

    def _no_number(self, what: str) -> NoReturn:
        raise BranchError(
            f"{line()}: {what} needs a number, and the secret {self._origin} has none while "
            "the function is traced: use x.astype(...) to convert it, hg.take(table, x) to look "
            "up, and a public number in range() and shapes"
        )

    def __int__(self) -> NoReturn:
        self._no_number("int()")

    def __index__(self) -> NoReturn:
        self._no_number("an index")

    def __float__(self) -> NoReturn:
        self._no_number("float()")

    def __hash__(self) -> NoReturn:
        raise UnsupportedError(
            f"{line()}: a secret cannot be a key of a dictionary or an element of a set: it has no "
            "value while the function is traced; look up with hg.take(np.array([5, 6, 7]), x)"
        )

    def __format__(self, form: str) -> str:
        if form:
            raise UnsupportedError(
                f"{line()}: the format {form!r} needs a number, and a secret has none while the "
                "function is traced"
            )
        return repr(self)

    def __contains__(self, item: Any) -> NoReturn:
        raise BranchError(
            f"{line()}: `in` needs a public answer: write (array == item).any() instead"
        )

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise UnsupportedError(
            f"{line()}: the secret {self._origin} cannot become an array of NumPy: look up "
            "with hg.take(table, x) instead of table[x], join secrets with hg.stack([x, y]) instead "
            "of np.array([x, y]), and use the functions of halfgate"
        )

    def __array_ufunc__(self, f: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        from . import of_numpy

        return of_numpy.ufunc(f, method, args, kwargs)

    def __array_function__(self, f: Any, _: Any, args: Any, kwargs: Any) -> Any:
        from . import of_numpy

        return of_numpy.function(f, args, kwargs)

    def __round__(self, digits: int | None = None) -> NoReturn:
        from . import of_numpy

        raise of_numpy.unsupported("round()", "round")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("_") or name in Secret.__slots__:
                raise AttributeError(name)
            from . import of_numpy

            of_numpy.attribute(name)

    def __reduce__(self) -> NoReturn:
        raise BranchError("a secret exists only while its function is traced: it cannot be pickled")


numbers._class = Secret
