from django.urls import path
from . import views
app_name = "accounts"
urlpatterns = [path("login/", views.login), path("<int:pk>/", views.Detail.as_view())]
