from readers import Reader


def use():
    return Reader().read()


def here():
    return Reader().only_here()


def there():
    return Reader().only_there()
