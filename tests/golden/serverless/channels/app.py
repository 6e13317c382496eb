def read(event, context):
    return event
