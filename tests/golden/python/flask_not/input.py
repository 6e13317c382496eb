from flask import Flask, g, session, current_app
import click
app = Flask(__name__)

@app.cli.command("/seed")
def seed(): ...

@app.before_request
def before():
    session.get("/user")
    current_app.config.get("/x")
    app.config.get("/y")
    g.get("/z")

@click.option("/slash")
def option(): ...

@app.errorhandler(404)
def missing(e): ...
