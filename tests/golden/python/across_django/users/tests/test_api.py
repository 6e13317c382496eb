from django.urls import path

urlpatterns = [path("nothing/", print)]


def test(client):
    client.get("/nothing")
