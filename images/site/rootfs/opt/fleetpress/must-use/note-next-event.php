<?php

namespace Fleetpress;

/** Tells serve-site when the next event is due, 0 for never. `$events` is the `cron` option of WordPress. */
function note_next_event($events): void
{
    $times = array_filter(array_keys(is_array($events) ? $events : []), 'is_int');
    // Replaced in one step, so that nobody reads half a number.
    $part = '/run/fleetpress/next-event.' . getmypid();
    if (@file_put_contents($part, $times === [] ? '0' : (string) min($times)) !== false) {
        @rename($part, '/run/fleetpress/next-event');
    }
}
