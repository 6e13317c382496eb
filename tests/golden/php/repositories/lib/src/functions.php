<?php
namespace Acme\Kit;

function dial(string $url): Client { return new Client($url); }
