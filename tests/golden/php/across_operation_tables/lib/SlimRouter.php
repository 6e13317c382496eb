<?php
namespace OpenAPIServer;
use Slim\Factory\AppFactory;
class SlimRouter {
  private $operations = [
    [
      'httpMethod' => 'POST',
      'basePathWithoutHost' => '/depot/v2',
      'path' => '/parcels',
      'classname' => 'AbstractParcelsApi',
      'operationId' => 'createParcel',
    ],
    [
      'httpMethod' => 'GET',
      'basePathWithoutHost' => '/depot/v2',
      'path' => '/parcels/{id}',
      'classname' => 'AbstractParcelsApi',
      'operationId' => 'getParcel',
    ],
    [
      'httpMethod' => 'DELETE',
      'basePathWithoutHost' => '/depot/v2',
      'path' => '/parcels/{id}',
      'classname' => 'AbstractParcelsApi',
      'operationId' => 'deleteParcel',
    ],
  ];
  public function __construct($container) {
    $this->slimApp = AppFactory::create();
    foreach ($this->operations as $operation) {
      $route = $this->slimApp->map([$operation['httpMethod']], "{$operation['basePathWithoutHost']}{$operation['path']}", $callback)->setName($operation['operationId']);
    }
  }
}
