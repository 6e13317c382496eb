from functools import partial

from aiohttp import web


class Api:
    def __init__(self, app: web.Application) -> None:
        self.app = app
        self._register_logs("/core", app)
        self._register_logs("/dns", app)

    def _register_logs(self, path: str, app: web.Application) -> None:
        app.add_routes(
            [
                web.get(f"{path}/logs", partial(self.logs, follow=False)),
                web.get(f"{path}/logs/follow", partial(self.logs, follow=True)),
            ]
        )

    def setup(self, new: bool) -> None:
        self.app.add_routes([
            web.get("/info", self.info_v2 if new else self.info),
            web.post("/reload", lambda request: web.Response()),
            web.route("PATCH", "/options", partial(self.info)),
        ])

    async def logs(self, request, follow):
        return web.Response()

    async def info(self, request):
        return web.Response()

    info_v2 = info


registry.get("/not/a/route", partial(Api))
