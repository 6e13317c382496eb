import strawberry


def load_orders() -> list[int]:
    return []


@strawberry.type
class User:
    @strawberry.field
    def full_name(self) -> str:
        return ""


@strawberry.type
class Query:
    orders: list[int] = strawberry.field(resolver=load_orders)

    @strawberry.field
    def all_users(self) -> list[User]:
        return []

    @strawberry.field(name="me")
    async def current_user(self) -> User:
        return User()

    def helper(self):
        return 1


@strawberry.type
class Mutation:
    @strawberry.mutation
    def create_user(self, name: str) -> User:
        return User()


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def user_added(self):
        yield User()


schema = strawberry.Schema(query=Query, mutation=Mutation, subscription=Subscription)
