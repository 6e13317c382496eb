<?php

namespace App\Http\Controllers;

class UserController extends Controller
{
    public function index()
    {
        return [];
    }

    public function show($id)
    {
        return [];
    }

    public function edit($id)
    {
        return view('edit');
    }
}
