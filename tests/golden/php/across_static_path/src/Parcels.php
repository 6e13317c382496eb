<?php
namespace Depot;
class Parcels extends Resource {
  const PATH = 'parcels';
}
