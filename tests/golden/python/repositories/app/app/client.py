class Client:
    def send(self, text):
        pass
