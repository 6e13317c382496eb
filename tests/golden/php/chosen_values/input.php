<?php
use GuzzleHttp\Client;
class A {
    private Client $http;
    function load($mode) {
        $url = $mode ? '/php/one' : '/php/two';
        $this->http->get($url);
    }
    function m($mode) {
        $url = match($mode) { 1 => '/php/three', default => '/php/four' };
        $this->http->get($url);
    }
}
