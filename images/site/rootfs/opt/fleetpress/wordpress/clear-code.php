<?php
// Makes PHP read all files again. Loads no WordPress, which may be broken.

namespace Fleetpress;

require __DIR__ . '/answer.php';

clearstatcache(true);
answer(['cleared' => function_exists('opcache_reset') && opcache_reset()]);
