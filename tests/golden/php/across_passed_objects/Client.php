<?php
use GuzzleHttp\Client as Http;

class Transport {
    private $http;

    public function __construct() {
        $this->http = new Http(["base_uri" => "http://shop"]);
    }

    public function submit($options) {
        return $this->http->request($options["verb"], $options["path"]);
    }
}

class Orders {
    private $transport;

    public function __construct($transport) {
        $this->transport = $transport;
    }

    private function call($verb, $path, $options = []) {
        $options["verb"] = $verb;
        $options["path"] = "/api" . $path;
        return $this->transport->submit($options);
    }

    public function all() {
        return $this->call("GET", "/orders");
    }

    public function remove($id) {
        return $this->call("DELETE", "/orders/" . $id, ["quiet" => true]);
    }
}

function client() {
    return new Orders(new Transport());
}
