from .base import Base
import os


class User:
    def __init__(self, name: str):
        self.name = name

    def label(self) -> str:
        return self.name


class UserRepo(Base):
    def __init__(self, base: Base):
        super().__init__()
        self.base = base

    def find(self, key) -> User:
        self.open()
        self.base.open()
        os.getcwd()
        return User(key)

    def open(self):
        return self.find("x").label()


def load():
    repo = UserRepo(Base())
    return repo
