from django.urls import path

from site import views

urlpatterns = [path("api/v1/checks/", views.checks)]
