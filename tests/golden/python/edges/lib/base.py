class Base:
    def open(self):
        self.close()

    def close(self):
        pass
