<?php

use GuzzleHttp\Psr7\Utils;

// Http::get('http://orders/orders') and new GuzzleHttp\Client(['base_uri' => 'http://users'])
class Store
{
    private Cache $cache;

    public function load(Collection $items, $request)
    {
        $this->cache->get('/users');
        $items->put('/users', 1);
        $items->delete("/users/$request");
        $request->get('/users');
        session()->get('/orders');
        config()->set('/orders', 1);
        HttpResponse::get('/x');
        Arr::get($items, '/users');
        $text = file_get_contents('/etc/hosts');
        $file = file_get_contents(__DIR__ . '/users.json');
        $made = file_get_contents("php://input");
        curl_setopt($this->handle, CURLOPT_RETURNTRANSFER, '/users');
        $headers = curl_getinfo($this->handle, CURLINFO_EFFECTIVE_URL);
        $said = "Http::get('/orders')";
        return Utils::streamFor('/users');
    }
}
