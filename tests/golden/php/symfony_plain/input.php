<?php

namespace App\Controller;

use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\Routing\Annotation\Route;

/**
 * @Route("/blog", name="blog_")
 */
class BlogController
{
    /**
     * @Route("/{page<\d+>}", name="list", methods={"GET"})
     */
    public function list(int $page): JsonResponse
    {
        return new JsonResponse([]);
    }

    /**
     * @Route("/{slug}/comments", methods={"POST", "PUT"})
     */
    public function comment(string $slug): JsonResponse
    {
        return new JsonResponse([]);
    }

    /**
     * Says more than its route.
     *
     * @Route(
     *     path="/archive",
     *     methods="DELETE"
     * )
     */
    public function archive(): JsonResponse
    {
        return new JsonResponse([]);
    }
}
