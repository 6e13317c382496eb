from .repo import Repo, make_repo
from . import repo as store


class Service:
    def __init__(self, repo: Repo):
        self.repo = repo
        self.spare = make_repo()

    def run(self):
        self.repo.find(1)
        self.spare.query(2)
        return store.make_repo().find(Repo.limit)


def main(service: "Service", other):
    service.run()
    other.run()
    for each in [service]:
        each.run()
    with Service(Repo()) as made:
        made.run()
