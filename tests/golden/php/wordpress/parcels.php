<?php
add_action('rest_api_init', function () {
    register_rest_route('shop/v1', '/parcels/(?P<id>\d+)', array(
        'methods' => 'GET',
        'callback' => 'shop_parcel',
    ));
    register_rest_route('shop/v1', '/parcels', [
        [
            'methods' => WP_REST_Server::READABLE,
            'callback' => 'shop_parcels',
        ],
        [
            'methods' => WP_REST_Server::CREATABLE,
            'callback' => 'shop_add',
        ],
    ]);
    register_rest_route('shop/v1', '/both', ['methods' => ['PUT', 'DELETE'], 'callback' => 'shop_both']);
});
