<?php

namespace App\Controller;

use FOS\RestBundle\Controller\Annotations as Rest;
use Symfony\Component\Routing\Annotation\Route;

/**
 * Ratings of products.
 *
 * @Route("/api")
 */
class RatingController
{
    /**
     * @Route(path="/rate/{sku}/{score}", methods={"PUT"})
     */
    public function put(string $sku, int $score)
    {
        return null;
    }

    /**
     * @Route("/fetch/{sku}", name="fetch", methods={"GET", "POST"})
     */
    public function fetch(string $sku)
    {
        return null;
    }

    /**
     * @Rest\Delete("/ratings/{id}")
     */
    public function remove(int $id)
    {
        return null;
    }

    /**
     * Is routed by nobody, though it speaks of Route("/none").
     */
    public function none()
    {
        return null;
    }
}
