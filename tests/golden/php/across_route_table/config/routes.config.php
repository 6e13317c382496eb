<?php
use App\Action;
use App\Prefixes;

return (static function (): array {
    return [
        'routes' => [
            ...Prefixes::apply([
                Action\ListParcels::getRouteDef(),
                Action\EditParcel::getRouteDef(['x']),
            ]),
            [
                'name' => 'robots',
                'path' => '/robots.txt',
                'middleware' => [Action\Robots::class],
                'allowed_methods' => ['GET'],
            ],
        ],
    ];
})();
