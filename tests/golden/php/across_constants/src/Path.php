<?php
namespace Depot;
enum Path: string {
  case Parcels = '/depot/v2/parcels';
  case Parcel = '/depot/v2/parcels/{id}';
}
