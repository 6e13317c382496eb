<?php
namespace Parcel;

use Illuminate\Support\Facades\Http;

abstract class Transport
{
    protected function send(string $verb, string $path, array $data = [])
    {
        $client = Http::baseUrl('http://parcels');
        return match ($verb) {
            'GET', 'HEAD' => $client->get($path, $data),
            'POST' => $client->post($path, $data),
            'DELETE' => $client->delete($path),
            default => $client->put($path, $data),
        };
    }

    protected function older(string $verb, string $path)
    {
        $client = Http::baseUrl('http://parcels');
        switch ($verb) {
            case 'GET':
            case 'LIST':
                return $client->get($path);
            default:
                return $client->post($path);
        }
    }
}
