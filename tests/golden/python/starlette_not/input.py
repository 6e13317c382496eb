from starlette.config import Config
from trains import Route
config = Config(".env")
config.get("/x")
class Stop:
    def get(self): ...
