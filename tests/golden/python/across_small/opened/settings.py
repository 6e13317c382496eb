import os

STOCK = os.environ.get("STOCK_URL", "http://stock:8080")
