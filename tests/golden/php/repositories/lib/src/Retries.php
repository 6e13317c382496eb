<?php
namespace Acme\Kit;

trait Retries
{
    public function retry(): void {}
}
