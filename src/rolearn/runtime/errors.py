"""The errors and warnings of the package."""

__all__ = ["DataError", "KnowledgeError", "ParameterError", "RolearnError", "RolearnWarning"]


class RolearnError(Exception):
    """Any error that rolearn raises on purpose; its text is one sentence a user can act on."""


class DataError(RolearnError, ValueError):
    """The table, file or statistics can't be used; names the file, line or columns."""


class KnowledgeError(RolearnError, ValueError):
    """Background knowledge contradicts itself or names what isn't there."""


class ParameterError(RolearnError, ValueError):
    """An argument is outside what is allowed; says what is."""


class RolearnWarning(UserWarning):
    """Something was decided on the user's behalf; says what and why."""
