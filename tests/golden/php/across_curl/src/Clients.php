<?php

namespace App;

class Clients
{
    public function user(int $id)
    {
        $ch = curl_init();
        curl_setopt($ch, CURLOPT_URL, Urls::USERS . "/users/{$id}");
        curl_setopt($ch, CURLOPT_CUSTOMREQUEST, 'DELETE');
        return curl_exec($ch);
    }

    public function stock(string $sku)
    {
        return file_get_contents(Urls::stock($sku));
    }

    public function sent(string $path)
    {
        $ch = curl_init(Urls::USERS . $path);
        return curl_exec($ch);
    }
}
