<?php
use Illuminate\Support\Facades\Http;
class E {
  public function eight() { return $this->send3('PUT', '/eight'); }
  private function send3($verb, $path) { return Http::withToken('x')->$verb('https://h.example' . $path, []); }
  public function e2() { $verb = 'PUT'; return Http::withToken('x')->$verb('https://h.example/e2'); }
  public function e3() { return Http::withToken('x')->put('https://h.example/e3'); }
  public function e4() { return $this->s4('PUT', '/e4'); }
  private function s4($verb, $path) { return Http::$verb('https://h.example' . $path, []); }
}
