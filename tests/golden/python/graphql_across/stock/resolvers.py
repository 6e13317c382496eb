from ariadne import QueryType

query = QueryType()


@query.field("stockLevel")
def resolve_stock_level(_, info, sku):
    return 0
