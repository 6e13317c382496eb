from rest_framework.decorators import action, api_view
from rest_framework.response import Response

from .base import BaseViewSet


class UserViewSet(BaseViewSet):
    @action(detail=True, methods=["post"])
    def follow(self, request, pk=None):
        return Response()


@api_view(["POST"])
def login(request):
    return Response(request.session.get("/nothing"))
