from flask import Flask
from rooms import rooms

app = Flask(__name__)
app.register_blueprint(rooms)


@app.get("/health")
def health(): ...
