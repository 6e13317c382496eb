import requests


class Client:
    def call(self, path, bare=False, remove=False):
        url = path if bare else "/api/v2" + path
        if remove:
            return requests.delete(url)
        elif not bare:
            return requests.get(url)
        else:
            return requests.head(url)

    def parcels(self):
        return self.call("/parcels")

    def drop(self):
        return self.call("/parcels/1", remove=True)

    def health(self):
        return self.call("/health", True)
