<?php
// Signs the panel in for an hour, so that it can look at pages that only an administrator sees.

namespace Fleetpress;

require __DIR__ . '/boot.php';

$user = find_user('');
if ($user === null) {
    answer(['cookies' => []]);
}
$until = time() + HOUR_IN_SECONDS;
$token = \WP_Session_Tokens::get_instance($user->ID)->create($until);
$cookies = [];
foreach (['auth' => AUTH_COOKIE, 'secure_auth' => SECURE_AUTH_COOKIE, 'logged_in' => LOGGED_IN_COOKIE] as $scheme => $name) {
    $cookies[] = [$name, rawurlencode(wp_generate_auth_cookie($user->ID, $until, $scheme, $token))];
}
answer(['cookies' => $cookies]);
