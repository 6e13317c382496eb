<?php

namespace App\Controller;

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Routing\Attribute\Route;

#[Route('/articles', name: 'article_')]
class ArticleController extends AbstractController
{
    private const ONE = '/{slug}';

    #[Route('', name: 'list', methods: ['GET'])]
    public function list()
    {
        return $this->json([]);
    }

    #[Route(self::ONE, methods: 'GET')]
    #[IsGranted('ROLE_USER')]
    public function show(string $slug)
    {
        return $this->json([]);
    }

    #[Route(path: '/{slug}', name: 'change', methods: [Request::METHOD_PUT, Request::METHOD_PATCH])]
    public function change(string $slug)
    {
        return $this->json([]);
    }

    #[Route('/{id<\d+>}/any')]
    public function any(int $id)
    {
        return $this->json([]);
    }

    #[RouteName('/nothing')]
    public function lookAlike()
    {
        return $this->redirectToRoute('article_list');
    }
}
