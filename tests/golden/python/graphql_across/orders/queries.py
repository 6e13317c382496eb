import strawberry


@strawberry.type
class OrderQueries:
    @strawberry.field
    def open_orders(self) -> int:
        return 1
