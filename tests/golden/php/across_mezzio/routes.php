<?php
declare(strict_types=1);
use Mezzio\Application;
return static function (Application $app): void {
    $app->get('/ping', PingHandler::class, 'ping');
    $app->route('/albums[/{id}]', AlbumHandler::class, ['GET', 'POST'], 'albums');
};
