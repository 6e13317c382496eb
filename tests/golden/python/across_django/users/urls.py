from django.urls import include, path
from rest_framework.routers import DefaultRouter

from .views import UserViewSet, login

router = DefaultRouter()
router.register("users", UserViewSet)

urlpatterns = [
    path("", include(router.urls)),
    path("login/", login),
]
