<?php
namespace App;

use Acme\Kit;
use Acme\Kit\Client as KitClient;
use Acme\Kit\{ClientInterface, Message\Reply, Retries};
use function Acme\Kit\dial;

class Main extends KitClient implements ClientInterface
{
    use Retries;

    public function __construct(private ClientInterface $inner) {}

    public function run($unknown): Reply
    {
        $this->inner->send('a');
        $reply = $this->send('b');
        $reply->body();
        KitClient::local()->with(KitClient::LIMIT)->retry();
        dial('c')->last->body();
        Kit\dial('d');
        (new Client())->send('e');
        $unknown->send('f');
        $name = Kit\Message\Reply::class;
        return parent::send('g');
    }
}
