<?php
namespace App;
use Slim\Interfaces\RouteCollectorProxyInterface as Group;
class ParcelRoutes {
  public function __construct(private Service $service) {}
  public function __invoke(Group $group): void {
    $group->post('', [$this, 'create']);

    $group->get('/{id}', [$this, 'one']);

    $group->delete('/{id}', [$this, 'remove']);
  }
}
