class Resource:
    def base(self):
        raise NotImplementedError

    def path(self, *parts):
        if len(parts) == 0:
            return self.base()
        return self.base() + "/" + "/".join(parts)
