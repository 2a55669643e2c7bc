<?php

namespace Fleetpress;

/**
 * Reads the list of scheduled events from the database. WordPress keeps the list as it was when a request began and
 * writes it back whole: what another request scheduled meanwhile, while a long event ran, would be lost.
 */
function read_events_again($answer)
{
    global $wpdb;
    $stored = $wpdb->get_var("SELECT option_value FROM $wpdb->options WHERE option_name = 'cron'");
    wp_cache_delete('cron', 'options');
    $options = wp_load_alloptions();
    if ($stored !== null && isset($options['cron']) && $options['cron'] !== $stored) {
        $options['cron'] = $stored;
        wp_cache_set('alloptions', $options, 'options');
    }
    return $answer;
}
