def list(event, context):
    return []
