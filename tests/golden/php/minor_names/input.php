<?php
// What a file imports, under the name that it uses.
namespace Tide;

use Sea\Charts\BuoyFactory;
use Sea\Http\ReplyInterface as Reply;
use Sea\Charts\{Depth, Current as Flow, Deep\Trench};
use Horizon;

class Gauge
{
	use Logs;

	public function read()
	{
		$value = 1;
		return $value;
	}
}
