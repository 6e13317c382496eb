<?php
namespace Acme\App;

use Acme\Http\Factory;

function run(Factory $factory)
{
    $client = $factory("app");
    $client->get("/");
}
