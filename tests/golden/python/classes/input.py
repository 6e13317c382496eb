from models import Base, fields


class User(Base):
    name: str = fields.Text()
    tags: list["Tag"] = None
    LIMIT = 10

    def __init__(self, repo: Repo, clock=None):
        self.repo = repo
        self.clock = clock or Clock()
        self.cache = Cache(repo)


class Admin(User, mixins.Audited, Generic[T], metaclass=Meta):
    class Meta(Base.Meta):
        pass


class Tag:
    pass
