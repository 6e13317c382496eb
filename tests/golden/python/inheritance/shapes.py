class Root:
    def area(self):
        return self.side()

    def name(self):
        return "root"


class Left(Root):
    def name(self):
        return "left"


class Right(Root):
    def name(self):
        return super().name()

    def area(self):
        return 1


class Both(Left, Right):
    def show(self):
        self.name()
        self.area()
        super().name()

    @classmethod
    def make(cls):
        return cls()


class Ring(Chain):
    def turn(self):
        self.turn_back()


class Chain(Ring):
    def turn_back(self):
        self.missing()


def main():
    Both.make().show()
    shapes = {"a": Both()}
    for shape in list(shapes):
        shape.show()
    boxes: list[Both] = []
    for box in boxes:
        box.show()
    boxes[0].area()
