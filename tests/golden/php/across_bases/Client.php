<?php
use GuzzleHttp\Client as Http;

class Client
{
    private $base;
    private $http;

    public function __construct($host, $base = '/control')
    {
        $this->base = $base;
        $this->http = new Http(['base_uri' => $host]);
    }

    public function get($path)
    {
        return $this->http->get($this->base . '/' . $path);
    }

    public function users()
    {
        return $this->get('users');
    }
}
