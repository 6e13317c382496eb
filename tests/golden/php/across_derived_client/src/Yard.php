<?php
namespace Shop;

class Yard
{
	public function __construct(private Depot $depot) {}
	public function truck($id) { return $this->depot->post('/trucks/' . $id); }
}
