"""Functions of Azure that answer no request, and a router of something else."""
import azure.functions as func

app = func.FunctionApp()
roads = Roads()


@app.queue_trigger(arg_name="msg", queue_name="items", connection="")
def queued(msg: func.QueueMessage):
    roads.route(route="a/b", methods=["GET"])


@roads.route(route="north/south", methods=["GET"])
def drive(car):
    return car
