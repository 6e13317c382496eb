<?php
namespace P;
use Http\Client\Common\HttpMethodsClientInterface;
class Client {
    private HttpMethodsClientInterface $plugin;
    public function getHttpClient(): HttpMethodsClientInterface { return $this->builder()->getHttpClient(); }
    public function projects(): Projects { return new Projects($this); }
}
abstract class AbstractApi {
    private const URI_PREFIX = '/api/v4/';
    protected Client $client;
    public function __construct(Client $client) { $this->client = $client; }
    protected function get(string $uri, array $params = []) {
        return $this->client->getHttpClient()->get(self::prepareUri($uri, $params), []);
    }
    protected static function encodePath($uri): string { return \str_replace('/', '%2F', \rawurlencode((string) $uri)); }
    protected function getProjectPath($id, string $uri): string { return 'projects/'.self::encodePath($id).'/'.$uri; }
    private static function prepareUri(string $uri, array $query = []): string {
        return \sprintf('%s%s%s', self::URI_PREFIX, $uri, $query ? "?".http_build_query($query) : "");
    }
}
class Projects extends AbstractApi {
    public function all() { return $this->get('projects'); }
    public function one($id) { return $this->get('projects/'.self::encodePath($id)); }
    public function hooks($id) { return $this->get($this->getProjectPath($id, 'hooks')); }
}
