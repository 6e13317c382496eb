<?php

use Aws\S3\S3Client;
use GuzzleHttp\ClientInterface;

class Carts implements CartStoreInterface, JsonSerializable
{
    public function GetCart(ContextInterface $ctx, $id)
    {
        $s3 = new S3Client(['region' => 'eu']);
        $s3->GetObject(['Key' => $id]);
        $http = new CartClient('http://carts');
        return $http->GetCart($id);
    }
}
