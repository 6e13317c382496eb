<?php
use GuzzleHttp\Client;

class Orders {
    private Client $http;

    private function request(string $method, string ...$parts) {
        return $this->http->request($method, '/v1/' . implode('/', $parts));
    }

    public function all() {
        return $this->request('GET', 'orders');
    }

    public function cancel(string $id) {
        return $this->request('POST', 'orders', $id, 'cancel');
    }
}
