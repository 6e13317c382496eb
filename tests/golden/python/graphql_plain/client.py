from gql import Client, gql
from gql.transport.requests import RequestsHTTPTransport

client = Client(transport=RequestsHTTPTransport(url="http://users/graphql"))


def load(id):
    query = gql("""
        query OneUser($id: ID!) {
          user(id: $id) { name }
        }
    """)
    return client.execute(query, variable_values={"id": id})
