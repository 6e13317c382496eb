from django.conf import settings
from django.urls import include, path
from urllib.parse import urlparse

from site import views

prefix = ""
if _path := urlparse(settings.SITE_ROOT).path.lstrip("/"):
    prefix = f"{_path}/"

api_urls = [path("checks/", views.checks)]

urlpatterns = [
    path(f"{prefix}login/", views.login),
    path(prefix, include("site.api.urls")),
]
