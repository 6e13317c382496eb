def add(a, b):
    return a + b


class Counter:
    def up(self):
        return add(self.n, 1)
