<?php
// Prepares a link that signs a user in once. The panel keeps the token to itself: only its hash comes here.

namespace Fleetpress;

require __DIR__ . '/boot.php';

$asked = question();
$user = find_user((string) $asked['user']);
if ($user === null) {
    answer(['user' => null]);
}
@mkdir('/run/fleetpress/sign-in', 0700);
foreach (glob('/run/fleetpress/sign-in/*') as $old) {
    if (filemtime($old) < time() - 120) {
        @unlink($old);
    }
}
$written = file_put_contents('/run/fleetpress/sign-in/' . $asked['hash'], (string) $user->ID);
answer(['user' => $written === false ? null : $user->user_login]);
