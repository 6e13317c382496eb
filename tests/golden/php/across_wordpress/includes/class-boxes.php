<?php
class Boxes_Controller extends Base_Controller
{
    protected $rest_base = 'boxes';
}
