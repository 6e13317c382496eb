from flask import Flask

from registry import answers, pages

app = Flask(__name__)
app.register_blueprint(pages)


@answers("/pages", methods=["POST", "PUT"])
def store():
    ...


@answers("/pages/<int:number>")
def show(number):
    ...


@answers("/pages/<int:number>", ("DELETE",), name="gone")
def remove(number):
    ...


TABLE = [
    ("/languages", "languages", ["GET"]),
    ("/languages/<code>", "language", ["PATCH"]),
]

for path, name, methods in TABLE:
    app.add_url_rule(path, name, store, methods=methods)
