from typing import Generic, Optional, TypeVar

T = TypeVar("T")


class Square:
    def grow(self): ...


class Store(Generic[T]):
    def first(self) -> T: ...
    def find(self, id: int) -> Optional[T]: ...
    def all(self) -> list[T]: ...


class Squares(Store[Square]):
    def inherited(self):
        self.first().grow()


def argument(store: Store[Square]):
    store.first().grow()


def optional(store: Store[Square]):
    store.find(1).grow()


def elements(store: Store[Square]):
    for s in store.all():
        s.grow()


def of_base(s: Squares):
    s.first().grow()


def by_key(d: dict[str, Square]):
    d.get("x").grow()
