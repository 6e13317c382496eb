from django.urls import include, path
from . import views
from .extra import extra_patterns
user_patterns = [path("users/", views.users), path("users/<int:id>/", views.user)]
user_patterns += [path("more/", views.users)]
extra = [path("extra/", views.users)]
urlpatterns = [path("api/", include(user_patterns)), path("v2/", include((extra, "extra"))), path("v3/", include(extra_patterns))]
