<?php
namespace Depot;
use GuzzleHttp\Client;
class Parcels {
  private Client $http;
  private string $base;
  public function one($id) { return $this->http->get(rtrim($this->base, '/') . '/' . implode('/', ['api', 'v1', 'parcels', $id])); }

  public function create($o) {
    $url = sprintf('%s/depot/v2/%s?%s', $this->base, 'parcels', http_build_query(['dry' => 1]));
    return $this->http->post($url, ['json' => $o]);
  }

  public function remove($id) { return $this->http->delete($this->base . strtr('/depot/v2/parcels/{id}', ['{id}' => $id])); }
}
