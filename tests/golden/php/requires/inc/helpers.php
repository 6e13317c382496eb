<?php
function greet(string $name): void {}
