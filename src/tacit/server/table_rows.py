"""The rows of tables and their seats: what is written of them, by statements that are compiled once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from tacit.server.models import SeatRow, Step, TableRow, seats, steps, tables
from tacit.server.step_rows import values_of

Values = dict[str, Any]  # by column
Fit = Callable[[Any], Any]  # makes a value fit for a database


class Compiled(NamedTuple):
    """A statement as a driver takes it."""

    text: str
    in_order: Callable[[Values], tuple[Any, ...]]  # takes the values of a row in the order of the text
    fits: list[tuple[int, Fit]]  # which of them must be made fit


class Statement:
    """An INSERT or UPDATE with one row of values. SQLAlchemy compiles it once for a dialect and is not asked again:
    what it does at each execution takes several times as long as SQLite.
    """

    def __init__(self, clause: sa.Insert | sa.Update, columns: Iterable[str]) -> None:
        self.clause, self.columns = clause, list(columns)
        self._compiled: dict[str, Compiled] = {}

    def execute(self, connection: sa.Connection, rows: Sequence[Values]) -> int:
        """Execute it for each of the rows; returns how many rows of the table that concerned."""
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            self._compiled[dialect.name] = self._compile(dialect)
        text, in_order, fits = self._compiled[dialect.name]
        given: list[Any] = []
        for row in rows:
            values = list(in_order(row))
            for at, fit in fits:
                values[at] = fit(values[at])
            given.append(tuple(values))
        if dialect.name == "sqlite":
            driver: Any = connection.connection.driver_connection
            return int(driver.executemany(text, given).rowcount)
        return connection.exec_driver_sql(text, given if len(given) > 1 else given[0]).rowcount

    def _compile(self, dialect: sa.Dialect) -> Compiled:
        compiled: Any = self.clause.compile(dialect=dialect, column_keys=self.columns)
        names, fits = list(compiled.positiontup), []
        for at, name in enumerate(names):
            kind = compiled.binds[name].type
            fit = kind.dialect_impl(dialect).bind_processor(dialect)
            if isinstance(kind, sa.JSON):
                fits.append((at, _mostly_empty(fit)))
            elif fit is not None and not (isinstance(kind, sa.Boolean) and dialect.name == "sqlite"):  # it takes both
                fits.append((at, fit))
        in_order = itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)
        return Compiled(str(compiled), in_order, fits)


def _mostly_empty(fit: Fit) -> Fit:
    """The same for JSON: most columns hold nothing, and an encoder takes as long for that as for anything."""
    nothing, empty = fit(None), fit([])

    def quick(value: Any) -> Any:
        return nothing if value is None else empty if value == [] else fit(value)

    return quick


TABLE_COLUMNS = [name for name in TableRow.__struct_fields__ if name != "seats"]
INSERT_TABLE = Statement(sa.insert(tables), TABLE_COLUMNS)
INSERT_SEAT = Statement(sa.insert(seats), [*SeatRow.__struct_fields__, "table_id", "seat"])
INSERT_FIRST_STEP = Statement(sa.insert(steps), [column.name for column in steps.c])
END_TABLE = Statement(
    sa.update(tables)
    .where(tables.c.id == sa.bindparam("of"))
    .values(phase=sa.text("'over'"), revision=sa.text("revision + 1")),
    [],
)


@cache
def update_of(table: sa.Table, columns: tuple[str, ...]) -> Statement:
    """The UPDATE of some columns of a table or a seat; there are few sets of columns that change together."""
    if table is tables:
        here = (tables.c.id == sa.bindparam("of"), tables.c.revision == sa.bindparam("old"))
    else:
        here = (seats.c.table_id == sa.bindparam("of"), seats.c.seat == sa.bindparam("at"))
    return Statement(sa.update(table).where(*here), columns)


def changes(old: TableRow | SeatRow, new: TableRow | SeatRow) -> Values:
    """The values of a row that differ from those it had before; of a table without its seats."""
    both = zip(new.__struct_fields__, msgspec.structs.astuple(old), msgspec.structs.astuple(new), strict=True)
    return {name: value for name, before, value in both if value is not before and value != before and name != "seats"}


def insert_table(connection: sa.Connection, row: TableRow) -> None:
    """Write a new table with its seats."""
    INSERT_TABLE.execute(connection, [msgspec.structs.asdict(row)])
    rows = [msgspec.structs.asdict(seat) | {"table_id": row.id, "seat": q} for q, seat in enumerate(row.seats)]
    INSERT_SEAT.execute(connection, rows)


def update_table(connection: sa.Connection, old: TableRow, row: TableRow, first: Step | None) -> bool:
    """Write what differs between two copies of a table and its seats, as the revision after that of `row`, and the step
    that begins its match; False if another revision was stored meanwhile.
    """
    values = changes(old, row) | {"revision": row.revision + 1}
    where = {"of": row.id, "old": row.revision}
    if update_of(tables, tuple(values)).execute(connection, [values | where]) == 0:
        return False
    for q, (before, seat) in enumerate(zip(old.seats, row.seats, strict=True)):
        if values := changes(before, seat):
            update_of(seats, tuple(values)).execute(connection, [values | {"of": row.id, "at": q}])
    if first is not None:
        INSERT_FIRST_STEP.execute(connection, [values_of(first)])
    return True
