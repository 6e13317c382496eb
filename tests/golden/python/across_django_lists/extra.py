from django.urls import path
from . import views
extra_patterns = [path("other/", views.users)]
