import models


class User(models.Base, models.Audited):
    def check(self):
        super().check()
        self.audit()


class Admin(User):
    def save(self):
        super().save()
        self.check()


Admin().audit()
