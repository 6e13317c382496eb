from app import Counter, add


def helper():
    return Counter()


def test_add():
    assert add(1, 2) == 3


class TestCounter:
    def test_up(self):
        helper().up()
