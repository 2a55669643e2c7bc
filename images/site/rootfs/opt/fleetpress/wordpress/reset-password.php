<?php
// Gives a user a new password and signs the user out everywhere.

namespace Fleetpress;

require __DIR__ . '/boot.php';

$asked = question();
$user = $asked['user'] === '' ? null : find_user($asked['user']);
if ($user === null) {
    answer(['user' => null]);
}
wp_set_password($asked['password'], $user->ID);
\WP_Session_Tokens::get_instance($user->ID)->destroy_all();
answer(['user' => $user->user_login]);
