<?php
namespace App;
use Slim\Routing\RouteCollectorProxy;
class ParcelController {
  public static function routes(RouteCollectorProxy $g) {
    $g->post('', [self::class, 'create']);

    $g->get('/{id}', [self::class, 'one']);

    $g->delete('/{id}', [self::class, 'remove']);
  }
}
