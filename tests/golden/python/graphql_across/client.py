from gql import Client, gql
from gql.transport.requests import RequestsHTTPTransport
import requests

client = Client(transport=RequestsHTTPTransport(url="http://users:8000/graphql"))


def load_user(user_id):
    query = gql(
        """
        query OneUser($id: ID!) {
          user(id: $id) { name }
        }
        """
    )
    return client.execute(query, variable_values={"id": user_id})


def load_orders(fields):
    body = {"query": f"query {{ orders(first: {fields}) {{ id }} }}"}
    return requests.post("http://users:8000/graphql", json=body)
