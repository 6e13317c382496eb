<?php
abstract class Base_Controller
{
    protected $namespace = 'shop/v2';
    protected $rest_base = '';

    public function register_routes()
    {
        register_rest_route($this->namespace, '/' . $this->rest_base, array(
            array('methods' => WP_REST_Server::READABLE, 'callback' => array($this, 'items')),
        ));
        register_rest_route($this->namespace, '/' . $this->rest_base . '/(?P<id>[\d]+)', array(
            array('methods' => WP_REST_Server::DELETABLE, 'callback' => array($this, 'drop')),
        ));
    }
}
