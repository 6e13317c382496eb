<?php
namespace Shop;

use GuzzleHttp\Client;
use Symfony\Component\HttpFoundation\Request;

class Depot
{
	private Client $client;

	private function send(string $method, string $path) { return $this->client->request($method, '/api/v2/' . $path); }

	public function crates() { return $this->send(Request::METHOD_GET, 'crates'); }

	public function drop($id) { return $this->send(Request::METHOD_DELETE, 'crates/' . $id); }
}
