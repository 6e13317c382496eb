<?php

function greet($name)
{
    $client = new Greet\GreeterClient('localhost:50051', []);
    list($text, $status) = $client->SayHello(new Greet\Name())->wait();
    return $text;
}
