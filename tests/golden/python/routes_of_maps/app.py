from flask import Flask

app = Flask(__name__)
VIEWS = {"carts": carts, "users": users}
for name, view in VIEWS.items():
    app.add_url_rule(f"/shop/{name}", view_func=view.list)
for name, verbs in sorted({"stock": ["PUT", "DELETE"]}.items()):
    app.add_url_rule("/admin/" + name, name, methods=verbs)
