<?php

namespace App;

use Illuminate\Support\Facades\Http;

class Orders
{
    private $base;

    public function __construct()
    {
        $this->base = $_ENV['ORDERS_URL'];
    }

    private function client()
    {
        return Http::baseUrl(Hosts::STOCK . '/api')->timeout(3);
    }

    public function all()
    {
        $this->client()->get('/items');
        return Http::get($this->base . '/orders');
    }
}
