<?php
namespace Shop;
use Slim\App;
class CrudRoutes
{
    private string $base;
    public function __construct(App $app, string $base)
    {
        $this->base = $base;
        $app->get($this->base . '/{id}', [$this, 'one']);
        $app->post($base, [$this, 'add']);
    }
    public function one() {}
    public function add() {}
}
