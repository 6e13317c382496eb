<?php
class Depots_Controller extends Base_Controller
{
    protected $rest_base = 'depots';
}
