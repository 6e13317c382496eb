<?php
use GuzzleHttp\Client;
use Illuminate\Support\Facades\Http;
class D {
  private Client $c;
  public function six() { return $this->send('post', '/six'); }
  private function send($verb, $path) { return $this->c->{$verb}($path, []); }
  public function seven() { return $this->send2('put', '/seven'); }
  private function send2($verb, $path) { return $this->c->$verb($path); }
  public function eight() { return $this->send3('PUT', '/eight'); }
  private function send3($verb, $path) { return Http::withToken('x')->$verb('https://h.example' . $path, []); }
  public function nine() { return $this->send4('delete', '/nine'); }
  private function send4($verb, $path) { return Http::baseUrl('https://h.example/api')->{$verb}($path, []); }
  public function ten() { return $this->send5('patch', '/ten'); }
  private function send5($verb, $path) { return Http::baseUrl('https://h.example/api')->send($verb, $path, []); }
  public function el() { return $this->send6('PATCH', '/el'); }
  private function send6(string $verb, $path) { $verb = strtolower($verb); return $this->http()->$verb($path, []); }
  private function http() { return Http::baseUrl('https://h.example/api'); }
}
