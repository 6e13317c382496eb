class Base:
    def save(self):
        self.check()

    def check(self):
        pass


class Audited:
    def audit(self):
        pass
