"""Accounts and who may see them."""
import os

LIMIT: int = 3
_cache = {}
if os.name == "nt":
    SEPARATOR = "\\"


# Opens the store.
# Twice is once.
def open_store(path, *, create=True) -> "Store":
    handle = None

    def retry():
        return handle

    return retry()


@decorate
class Account(Base, metaclass=Meta):
    """One account.

    More about it.
    """

    table = "accounts"

    def __init__(self, name):
        self.name = name

    @property
    def label(
        self,
        long=False,
    ):
        '''Shown to people.'''
        return self.name

    async def _secret(self): ...

    class Meta:
        ordering = ["name"]


def test_account_label():
    assert Account("a").label == "a"


type Pair = tuple[int, int]
