<?php
use GuzzleHttp\Client;
class Api {
  private $c;
  function __construct() { $this->c = new Client(["base_uri" => "http://shop"]); }
  function send($o) { return $this->c->request($o["method"], $o["path"]); }
  function orders() { $o = []; $o["method"] = "GET"; $o["path"] = "/orders"; return $this->send($o); }
  function users() { $o = ["method" => "POST"]; $o["path"] = "/users"; return $this->send($o); }
  function things() { $o = array_merge(["method" => "PUT"], ["path" => "/things"]); return $this->send($o); }
  function obj() { $r = new Req(); $r->path = "/obj"; $r->method = "DELETE"; return $this->c->request($r->method, $r->path); }
}
class Req { public $path; public $method; }
