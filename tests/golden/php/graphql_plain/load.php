<?php

function load(Client $client, string $id): array
{
    $query = 'query OneUser($id: ID!) { user(id: $id) { name } }';

    return $client->post('http://users/graphql', ['json' => ['query' => $query, 'variables' => ['id' => $id]]]);
}
