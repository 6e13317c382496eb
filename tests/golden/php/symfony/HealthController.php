<?php

namespace App\Controller;

use Symfony\Component\Routing\Annotation\Route;

/**
 * @Route("/health")
 */
class HealthController
{
    public function __invoke()
    {
        return null;
    }
}
