<?php
namespace P;
use GuzzleHttp\Client;
class Fleet extends Client {
    public function cars() { return $this->request('GET', '/fleet/cars'); }
    public function request(string $method, $uri = '', array $options = []) {
        return parent::request($method, $uri, $options);
    }
}
