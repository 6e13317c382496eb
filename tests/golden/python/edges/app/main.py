from lib import Repo, load
from lib.users import UserRepo
import lib.users


def main(repo: UserRepo, other):
    repo.find("a").label()
    repo.close()
    load().find("b")
    lib.users.load()
    other.label()
    for r in [1]:
        helper(r)


def helper(x):
    handlers = [helper]
    return Repo(None).find(x)
