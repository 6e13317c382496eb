<?php
namespace P;
use GuzzleHttp\Psr7\Request;
interface AuthInterface { public function makeRequest($url, array $parameters = [], $method = 'GET'); }
abstract class AbstractAuth implements AuthInterface {
    protected $client;
    public function makeRequest($url, array $parameters = [], $method = 'GET') {
        $method = strtoupper($method);
        $query = $this->q($parameters);
        if (count($query) > 0) {
            $glue = false === strpos($url, "?") ? "?" : "&";
            $url .= $glue.http_build_query($query);
        }
        $request = new Request($method, $url);
        return $this->client->sendRequest($request);
    }
}
class Oauth extends AbstractAuth {}
class Api {
    private $auth;
    private $baseUrl = 'http://p/api/';
    protected $endpoint;
    public function __construct(AuthInterface $auth) { $this->auth = $auth; }
    public function makeRequest($endpoint, array $parameters = [], $method = 'GET') {
        $url = $this->baseUrl . $endpoint;
        try {
            $response = $this->auth->makeRequest($url, $parameters, $method);
        } catch (\Exception $e) { }
        return $response;
    }
    public function get($id) { return $this->makeRequest("{$this->endpoint}/$id"); }
    public function create(array $p) { return $this->makeRequest($this->endpoint . '/new', $p, 'POST'); }
}
class Contacts extends Api {
    protected $endpoint = 'contacts';
    public function addPoints($id) { return $this->makeRequest($this->endpoint.'/'.$id.'/points/plus', [], 'POST'); }
}
class Assets extends Api { protected $endpoint = 'assets'; }
