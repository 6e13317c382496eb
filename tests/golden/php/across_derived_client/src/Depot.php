<?php
namespace Shop;

use GuzzleHttp\Client;

class Depot extends Client
{
	public function crates() { return $this->get('/crates'); }
}
