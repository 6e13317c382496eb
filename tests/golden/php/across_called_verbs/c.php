<?php
use GuzzleHttp\Client;
class F {
  private Client $c;
  public function one($id) { return $this->c->request('GET', vsprintf('/users/%s/%s', [$id, 'y'])); }
}
