<?php
use GuzzleHttp\Client;
function by(Client $c, $h) {
  $id = $h['id'] ?? '';
  $c->get("/php/orders/$id/lines");
}
