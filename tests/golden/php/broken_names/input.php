<?php
// A file in the middle of an edit: what cannot be parsed hides no name.
class Harbour extends Port
{
	public function arrive(Ship $ship, int $berth)
	{
		$place = $this->berths[;
		if ($ship->length > {

	private function leave(Ship $ship
	{

trait Pilots
{
