<?php
namespace Shop;

use GuzzleHttp\Client;

class Customers
{
    public function __construct(private Client $http) {}

    public function get($path)
    {
        return $this->http->get('/billing/customers/' . $path);
    }

    public function orders($id)
    {
        return $this->get("$id/orders");
    }
}
