<?php
namespace Shop;

use GuzzleHttp\Client;

class Invoices
{
    public function __construct(private Client $http) {}

    public function get($id)
    {
        return $this->http->get("/billing/invoices/$id");
    }
}
