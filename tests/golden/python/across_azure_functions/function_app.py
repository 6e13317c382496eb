import azure.functions as func

from blueprints.users import bp

app = func.FunctionApp()
app.register_functions(bp)
