import graphene


class UserType(graphene.ObjectType):
    name = graphene.String()


class CreateUser(graphene.Mutation):
    ok = graphene.Boolean()

    def mutate(self, info, name):
        return CreateUser(ok=True)


class Query(graphene.ObjectType):
    all_users = graphene.List(UserType)
    user = graphene.Field(UserType, id=graphene.ID())
    count = graphene.Int(name="userCount")

    def resolve_all_users(self, info):
        return load()


class Mutation(graphene.ObjectType):
    create_user = CreateUser.Field()


schema = graphene.Schema(query=Query, mutation=Mutation)
