<?php

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\Request;
use Illuminate\Support\Facades\Http;
use Symfony\Component\HttpClient\HttpClient;

class Users
{
    private Client $client;

    public function __construct()
    {
        $this->client = new Client(['base_uri' => 'http://users:8080/v1/', 'timeout' => 2.0]);
    }

    public function one(int $id)
    {
        return $this->client->get("users/{$id}");
    }

    public function rooted(int $id)
    {
        return $this->client->request('DELETE', "/v2/users/$id");
    }

    public function add(array $user)
    {
        return $this->client->postAsync('users', ['json' => $user]);
    }

    public function sent()
    {
        $request = new Request('PUT', 'http://users:8080/users/1');
        return $this->client->send($request);
    }
}

class Orders
{
    public function all()
    {
        return Http::withToken('x')->timeout(3)->get('http://orders/orders', ['page' => 1])->json();
    }

    public function one($id)
    {
        return Http::baseUrl('http://orders/api')->acceptJson()->get('/orders/' . $id);
    }

    public function drop($id)
    {
        return Http::delete("http://orders/orders/{$id}");
    }
}

function stock($sku)
{
    $curl = curl_init('http://stock/levels/' . $sku);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    $body = curl_exec($curl);

    $ch = curl_init();
    curl_setopt($ch, CURLOPT_URL, "http://stock/levels");
    curl_setopt($ch, CURLOPT_POST, 1);
    curl_exec($ch);

    $put = curl_init();
    curl_setopt_array($put, [CURLOPT_URL => 'http://stock/levels/1', CURLOPT_CUSTOMREQUEST => 'PUT']);
    curl_exec($put);

    $text = file_get_contents('http://stock/ready');
    $mail = file_get_contents('https://mail.example.com/send', false, stream_context_create(['http' => ['method' => 'POST']]));

    $http = HttpClient::create(['base_uri' => 'http://rates']);
    return $http->request('GET', '/rates/EUR');
}
