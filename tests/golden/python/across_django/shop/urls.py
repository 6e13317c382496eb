from django.contrib import admin
from django.urls import include, path, re_path

from . import views

urlpatterns = [
    path("admin/", admin.site.urls),
    path("health", views.health),
    path("api/v1/", include("users.urls")),
    re_path(r"^inline/", include([path("cart/<int:pk>/", views.CartView.as_view())])),
]
