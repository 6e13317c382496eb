<?php
use Slim\Factory\AppFactory;
$app = AppFactory::create();
$rows = [['GET', '/a'], ['POST', '/b']];
foreach ($rows as [$verb, $path]) { $app->map([$verb], '/t' . $path, 'h'); }
foreach ($rows as $row) { $app->map([$row[0]], '/r' . $row[1], 'h'); }
$objs = [['verb' => 'GET', 'path' => '/c'], ['verb' => 'POST', 'path' => '/d']];
foreach ($objs as $o) { $app->map([$o['verb']], '/o' . $o['path'], 'h'); }
$pre = array_map(fn ($r) => [$r[0], '/p' . $r[1]], $rows);
foreach ($pre as [$verb, $path]) { $app->map([$verb], $path, 'h'); }
$paths = array_map(fn ($p) => '/q' . $p, ['/y', '/z']);
foreach ($paths as $p) { $app->get($p, 'h'); }
foreach (['/u' => 'GET', '/v' => 'POST'] as $path => $verb) { $app->map([$verb], $path, 'h'); }
