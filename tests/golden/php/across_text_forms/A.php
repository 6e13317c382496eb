<?php
use GuzzleHttp\Client;
class A {
  function one() { return (new Client(["base_uri" => "http://shop/api/"]))->get("orders"); }
  function two($admin) {
    $c = new Client(["base_uri" => "http://shop"]);
    $url = "/users";
    if ($admin) { $url .= "/admin"; }
    return $c->get($url);
  }
  function three() { $c = new Client(["base_uri" => "http://shop"]); return $c->get(sprintf('/%2$s/%1$s', 'b', 'a')); }
}
