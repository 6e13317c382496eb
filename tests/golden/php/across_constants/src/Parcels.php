<?php
namespace Depot;
use GuzzleHttp\Client;
class Parcels {
  private const PATHS = ['remove' => '/depot/v2/parcels/%s', 'list' => '/depot/v2/parcels'];
  public function __construct(private Client $http) {}
  public function one($id) { return $this->http->get(str_replace('{id}', $id, Path::Parcel->value)); }

  public function create($o) { return $this->http->request('POST', Path::Parcels->value, ['json' => $o]); }

  public function remove($id) { return $this->http->delete(sprintf(self::PATHS['remove'], $id)); }
}
