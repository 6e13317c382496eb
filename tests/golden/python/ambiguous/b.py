class B:
    def go(self):
        pass

