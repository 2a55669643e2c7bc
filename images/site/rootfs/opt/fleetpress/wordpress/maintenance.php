<?php
// Reads or sets maintenance mode; does not load WordPress, which would refuse to start in it.

namespace Fleetpress;

require __DIR__ . '/answer.php';

const FILE = '/var/www/html/.maintenance';

$enabled = question()['enabled'] ?? null;
if ($enabled === false) {
    @unlink(FILE);
}
if ($enabled === true) {
    // WordPress ends maintenance after ten minutes unless the time moves on.
    file_put_contents(FILE . '.part', '<?php $upgrading = time();');
    rename(FILE . '.part', FILE);
}
clearstatcache();
answer(['enabled' => file_exists(FILE)]);
