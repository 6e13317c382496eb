from flask import Flask

app = Flask(__name__)


def h():
    pass


def mount(add):
    add("/mounted", h)


def add_below(path, view):
    app.add_url_rule("/named" + path, view_func=view)


mount(lambda path, view: app.add_url_rule("/closure" + path, view_func=view))
mount(add_below)
