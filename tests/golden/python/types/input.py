from typing import Optional
import models

Pair = tuple[int, models.User]
type Users = list[models.User]


def find(key: "Key", where: Optional[models.Filter] = None) -> models.User | None: ...


def all(kind: type[Model]) -> "list[User]":
    found: dict[str, list[Model]] = {}
    return found


def plain() -> None: ...
