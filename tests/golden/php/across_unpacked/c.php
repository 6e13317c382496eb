<?php
use GuzzleHttp\Client;
class Api {
    private Client $client;
    private $baseUrl = 'http://parcels/api/';
    public function __construct() { $this->client = new Client(); }
    protected function prepare($url, array $params) {
        $params['x'] = 1;
        return [$url, $params];
    }
    protected function send($method, $path, array $params = []) {
        $url = $this->baseUrl . $path;
        [$url, $params] = $this->prepare($url, $params);
        return $this->client->request($method, $url, ['json' => $params]);
    }
    protected function older($path) {
        list($url, $params) = $this->prepare($this->baseUrl . $path, []);
        return $this->client->get($url);
    }
    public function all() { return $this->send('GET', 'parcels'); }
    public function one($id) { return $this->send('GET', "parcels/$id"); }
    public function old() { return $this->older('old'); }
}
