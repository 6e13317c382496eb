import connexion

app = connexion.App(__name__, specification_dir="api/")
app.add_api("spec.yaml")
