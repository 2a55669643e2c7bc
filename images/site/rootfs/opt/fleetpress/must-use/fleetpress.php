<?php
// The panel's part of WordPress. It is in the image, where the site cannot change it; loader.php includes it.

namespace Fleetpress;

require __DIR__ . '/note-next-event.php';
require __DIR__ . '/read-events-again.php';

// serve-site runs scheduled events. It does so for one site: in a network WordPress keeps starting them on visits.
if (!is_multisite()) {
    if (!defined('DISABLE_WP_CRON')) {
        define('DISABLE_WP_CRON', true);
    }
    foreach (['schedule_event', 'unschedule_event', 'clear_scheduled_hook', 'unschedule_hook'] as $change) {
        add_filter("pre_$change", __NAMESPACE__ . '\\read_events_again', 1);
    }
    add_action('add_option_cron', static fn ($name, $events) => note_next_event($events), 10, 2);
    add_action('update_option_cron', static fn ($before, $events) => note_next_event($events), 10, 2);
}

if (is_file('/run/fleetpress/wordpress-org')) {
    require __DIR__ . '/wordpress-org.php';
}

if (isset($_GET['fleetpress-sign-in'])) {
    require __DIR__ . '/sign-in.php';
}
