def make():
    if LATE:
        return None
    return User("a")


def given(value):
    return value


def typed() -> User:
    return Other()


def outer():
    def inner():
        return Inner()

    return map(lambda x: Wrong(x), inner())


class A:
    def repo(self):
        return self._repo

    async def load(self):
        return await self.repo().find()
