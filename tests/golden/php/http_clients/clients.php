<?php

namespace App;

use GuzzleHttp\Client;
use Illuminate\Support\Facades\Http;
use Symfony\Contracts\HttpClient\HttpClientInterface;

class Users
{
    private const BASE = 'http://users:8080';
    private string $orders = 'http://orders';

    public function __construct(private HttpClientInterface $http, private Repository $repository)
    {
    }

    public function guzzle(int $id, array $data)
    {
        $client = new Client(['base_uri' => 'http://catalogue:8080/', 'timeout' => 2.0]);
        $client->get('products/' . $id);
        $client->postAsync("/products/{$id}/stock", ['json' => $data]);
        return $client->request('DELETE', sprintf('/products/%s', $id));
    }

    public function symfony(int $id)
    {
        $this->http->request('PUT', self::BASE . "/users/$id", ['json' => []]);
        return $this->repository->get('/users');
    }

    public function laravel(int $id)
    {
        Http::withToken('x')->acceptJson()->get("{$this->orders}/orders/{$id}");
        Http::baseUrl(env('STOCK_URL', 'http://stock'))->post('/items', []);
        return Http::delete($this->orders . '/orders/' . $id);
    }

    public function curl(string $sku)
    {
        $url = sprintf('%s/product/%s', 'http://catalogue:8080', $sku);
        $opt = [CURLOPT_RETURNTRANSFER => true];
        $curl = curl_init($url);
        curl_setopt_array($curl, $opt);
        curl_exec($curl);

        $ch = curl_init();
        curl_setopt($ch, CURLOPT_URL, getenv('PAYMENT_URL') ?: 'http://payment/pay');
        curl_setopt($ch, CURLOPT_POST, true);
        curl_exec($ch);

        $other = curl_init();
        curl_setopt_array($other, [
            CURLOPT_URL => 'http://cart/carts/' . $sku,
            CURLOPT_CUSTOMREQUEST => 'PUT',
        ]);
        return curl_exec($other);
    }

    public function files()
    {
        file_get_contents('http://users/health');
        return file_get_contents(__DIR__ . '/data.json');
    }
}
