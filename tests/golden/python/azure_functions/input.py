import azure.functions as func

app = func.FunctionApp(http_auth_level=func.AuthLevel.ANONYMOUS)


@app.function_name(name="one")
@app.route(route="items/{id:int}", methods=["GET"])
def one(req: func.HttpRequest) -> func.HttpResponse:
    return func.HttpResponse("ok")


@app.route(route="items", methods=[func.HttpMethod.POST, func.HttpMethod.PUT])
def add(req: func.HttpRequest) -> func.HttpResponse:
    return func.HttpResponse(status_code=201)


@app.route(route="any")
def anything(req):
    return func.HttpResponse("ok")


@app.timer_trigger(schedule="0 * * * * *", arg_name="timer")
def nightly(timer):
    pass
