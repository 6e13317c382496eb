<?php
require_once __DIR__ . '/inc/helpers.php';
include 'inc/more.php';

greet('x');
more();
