"""What the library reports."""
# SPDX-License-Identifier: BSD-3-Clause
from typing import Any


class Error(RuntimeError):
    """The library's message, with what it knows besides.

    status: name of the status, such as "ESINGULAR"
    file, line, column: place in the model's file; "" and 0: none
    given: what the caller gave is wrong (a setting, an option, a method), not the model
    result: rows until a run failed; None: there are none
    """

    def __init__(self, text: str = "", status: str = "EINTERNAL", file: str = "", line: int = 0, column: int = 0,
                 given: bool = False):
        super().__init__(text)
        self.status, self.file, self.line, self.column, self.given = status, file, line, column, given
        self.result: Any = None

    def __str__(self):
        place = f" (line {self.line}{', ' + self.file if self.file else ''})" if self.line else ""
        return super().__str__() + place

    def __reduce__(self):
        return type(self), (self.args[0], self.status, self.file, self.line, self.column, self.given)


class CrankWarning(UserWarning):
    """Something that the library warns of, and goes on."""
