<?php
namespace App;

class Paths
{
    const DEPOTS = '/depots';
}
