<?php
// Looks up when the next event is due, with as little of WordPress as possible.
define('SHORTINIT', true);
require '/var/www/html/wp-load.php';
require '/opt/fleetpress/must-use/note-next-event.php';
$stored = $wpdb->get_var("SELECT option_value FROM $wpdb->options WHERE option_name = 'cron'");
if ($stored !== null) {
    Fleetpress\note_next_event(maybe_unserialize($stored));
}
