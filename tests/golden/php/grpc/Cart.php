<?php

namespace App\Services;

use Shop\V1\Cart;
use Shop\V1\CartServiceInterface;
use Shop\V1\AddItemRequest;
use Spiral\RoadRunner\GRPC\ContextInterface;

final class CartService implements CartServiceInterface
{
    public function AddItem(ContextInterface $ctx, AddItemRequest $in): Cart
    {
        return $this->save($in);
    }

    public function GetCart(ContextInterface $ctx, GetCartRequest $in): Cart
    {
        return new Cart();
    }

    private function save(AddItemRequest $in): Cart
    {
        return new Cart();
    }
}
