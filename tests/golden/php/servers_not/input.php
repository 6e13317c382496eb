<?php
use Cake\Routing\RouteBuilder;

// register_rest_route('shop/v1', '/parcels'); $routes->connect('/x', []);
class Menu
{
    public function items($db, $routes)
    {
        $db->connect('/var/run/db.sock', ['user' => 'x']);
        $routes->redirect('/old', '/new');
        $menu = [
            ['path' => '/home', 'label' => 'Home', 'controller' => 'home'],
            ['path' => '/users', 'method' => null, 'icon' => 'middleware'],
        ];
        register_rest_field('post', 'x', []);
        return 'register_rest_route("a", "/b", [])';
    }
}
