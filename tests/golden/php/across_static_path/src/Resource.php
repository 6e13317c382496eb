<?php
namespace Depot;
use GuzzleHttp\ClientInterface;
abstract class Resource {
  const PATH = '';
  protected $http;
  public function __construct(ClientInterface $http) { $this->http = $http; }
  protected function path($suffix = '') { return '/depot/v2/' . static::PATH . $suffix; }

  public function find($id) { return $this->http->request('GET', $this->path("/$id")); }

  public function create($o) { return $this->http->request('POST', $this->path(), ['json' => $o]); }

  public function remove($id) { return $this->http->request('DELETE', $this->path('/' . $id)); }
}
