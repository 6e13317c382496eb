class A:
    def go(self):
        pass

    def only(self):
        pass
