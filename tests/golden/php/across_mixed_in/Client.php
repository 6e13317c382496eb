<?php
namespace Depot;

use GuzzleHttp\Client as Guzzle;

class Client
{
    use Parcels;

    private Guzzle $http;

    public function __construct()
    {
        $this->http = new Guzzle(['base_uri' => 'http://depot/']);
    }

    protected function send(string $method, string $path)
    {
        return $this->http->request($method, $path);
    }
}
