<?php
// Makes PHP read the files below `path` again, or all files without one. Loads no WordPress, which may be broken.

namespace Fleetpress;

require __DIR__ . '/answer.php';

/** What else is in the cache stays there: to read all of WordPress again takes longer than most updates. */
function clear_below(string $place): bool
{
    $cached = array_keys(opcache_get_status()['scripts'] ?? []);
    foreach ($cached as $file) {
        if ($file === $place || strpos($file, "$place/") === 0) {
            opcache_invalidate($file, true);
        }
    }
    return true;
}

clearstatcache(true);
$path = (string) (question()['path'] ?? '');
$hasCache = function_exists('opcache_reset');
answer(['cleared' => $hasCache && ($path === '' ? opcache_reset() : clear_below("/var/www/html/$path"))]);
