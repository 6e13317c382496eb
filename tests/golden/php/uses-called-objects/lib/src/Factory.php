<?php
namespace Acme\Http;

class Client
{
    public function get(string $path): int { return 1; }
}

class Factory
{
    public function __invoke(string $app): Client { return new Client(); }
}
