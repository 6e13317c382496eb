<?php
function more(): void {}
