<?php
// Activates, deactivates or uninstalls a plugin, or activates a theme, with all the hooks of WordPress.

namespace Fleetpress;

require __DIR__ . '/boot.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';

function choose(string $action, string $item)
{
    switch ($action) {
        case 'activate':
            return activate_plugin($item);
        case 'deactivate':
            return deactivate_plugins($item);
        case 'uninstall':
            return is_uninstallable_plugin($item) ? uninstall_plugin($item) : null;
        case 'activate-theme':
            $error = validate_theme_requirements($item);
            return is_wp_error($error) ? $error : switch_theme($item);
    }
}

$asked = question();
$done = choose((string) $asked['action'], (string) $asked['item']);
// What a plugin prints while it is activated does not stop it.
$failed = is_wp_error($done) && $done->get_error_code() !== 'unexpected_output';
answer(['error' => $failed ? wp_strip_all_tags($done->get_error_message()) : null]);
