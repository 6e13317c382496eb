<?php
namespace Acme\App;

use Acme\Log\Channel;
use Acme\Log\Logger;

class App
{
    /** @var Logger|null */
    private $logger;

    /**
     * @param string    $name
     * @param Channel[] $all
     * @param \Acme\Log\Logger $other
     */
    public function run($name, $all, $other)
    {
        $this->logger->info($name);
        $other->info($name);
        $other->channel()->open();
        foreach ($all as $one) {
            $one->open();
        }
    }
}
