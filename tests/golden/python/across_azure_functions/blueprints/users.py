import azure.functions as func

from blueprints.paths import USERS

bp = func.Blueprint()


@bp.route(route=USERS + "/{id}", methods=("DELETE",))
def drop(req: func.HttpRequest) -> func.HttpResponse:
    return func.HttpResponse(status_code=204)
