<?php
// The accounts of the site, administrators first.

namespace Fleetpress;

require __DIR__ . '/boot.php';

$asked = question();
$found = new \WP_User_Query([
    'number' => (int) $asked['limit'],
    'orderby' => 'login',
    'search' => $asked['q'] === '' ? '' : '*' . $asked['q'] . '*',
    'search_columns' => ['user_login', 'user_email', 'display_name'],
]);
answer([
    'total' => $found->get_total(),
    'users' => array_map(static fn ($user) => [
        'id' => $user->ID,
        'login' => $user->user_login,
        'name' => $user->display_name,
        'email' => $user->user_email,
        'roles' => array_values($user->roles),
    ], $found->get_results()),
]);
