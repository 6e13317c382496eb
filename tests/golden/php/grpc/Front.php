<?php

namespace App;

use Grpc\ChannelCredentials;
use Shop\V1\AddItemRequest;
use Shop\V1\CartServiceClient;

class Front
{
    private CartServiceClient $carts;

    public function __construct()
    {
        $this->carts = new CartServiceClient('carts:50051', ['credentials' => ChannelCredentials::createInsecure()]);
    }

    public function add(): void
    {
        [$cart, $status] = $this->carts->AddItem(new AddItemRequest())->wait();
    }

    public function clear(): void
    {
        $client = new \Shop\V1\CartServiceClient('carts:50051', []);
        $client->EmptyCart(new GetCartRequest())->wait();
    }
}
