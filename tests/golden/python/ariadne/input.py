from ariadne import MutationType, ObjectType, QueryType, gql, make_executable_schema

type_defs = gql("""
    type Query {
        users: [User!]!
        user(id: ID!): User
    }
    type Mutation { createUser(name: String!): User }
    type User { id: ID! orders: [Int] }
""")

query = QueryType()
mutation = MutationType()
user = ObjectType("User")


@query.field("users")
def resolve_users(_, info):
    return []


def find_user(_, info, id):
    return None


query.set_field("user", find_user)


@mutation.field("createUser")
def create_user(_, info, name):
    return None


@user.field("orders")
def resolve_orders(obj, info):
    return []


schema = make_executable_schema(type_defs, query, mutation, user)
