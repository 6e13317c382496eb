<?php

namespace App;

use GuzzleHttp\Client;

abstract class Api
{
    protected Client $client;

    protected function send(string $method, string $path)
    {
        return $this->client->request($method, config('services.users.url') . $path);
    }
}
