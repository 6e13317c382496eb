import strawberry
from .queries import OrderQueries


@strawberry.type
class OrderQuery(OrderQueries):
    pass


schema = strawberry.federation.Schema(query=OrderQuery)
