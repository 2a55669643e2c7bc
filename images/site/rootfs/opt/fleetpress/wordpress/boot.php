<?php
// Loads WordPress for a script of the panel.
// FLEETPRESS_LOAD: `all`, `admin` as in wp-admin, or `core` to leave out plugins and themes, which may be broken.

namespace Fleetpress;

require __DIR__ . '/answer.php';

// Otherwise a broken plugin would make WordPress send its owner an e-mail each time the panel asks.
define('WP_DISABLE_FATAL_ERROR_HANDLER', true);
define('WP_USE_THEMES', false);
if ($_SERVER['FLEETPRESS_LOAD'] === 'core') {
    define('SHORTINIT', true);
}
if ($_SERVER['FLEETPRESS_LOAD'] === 'admin') {
    define('WP_ADMIN', true);
}
// A site in maintenance mode answers the panel all the same.
$wp_filter['enable_maintenance_mode'][0]['fleetpress'] = ['function' => static fn () => false, 'accepted_args' => 1];
require '/var/www/html/wp-load.php';
if (SHORTINIT) {
    wp_plugin_directory_constants();
    $wp_plugin_paths = [];
}

/** By login, e-mail address or id. Without one, the first administrator. */
function find_user(string $wanted): ?\WP_User
{
    if ($wanted === '') {
        return get_users(['role' => 'administrator', 'orderby' => 'ID', 'number' => 1])[0] ?? null;
    }
    foreach (['login', 'email', 'id'] as $field) {
        $user = $field === 'id' && !ctype_digit($wanted) ? false : get_user_by($field, $wanted);
        if ($user) {
            return $user;
        }
    }
    return null;
}
