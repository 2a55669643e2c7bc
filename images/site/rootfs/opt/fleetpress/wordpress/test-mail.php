<?php
// Sends an e-mail the way WordPress does, whatever mailer a plugin has set up.

namespace Fleetpress;

require __DIR__ . '/boot.php';

$detail = '';
add_action('wp_mail_failed', static function ($error) use (&$detail) {
    $detail = $error->get_error_message();
});
$name = wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES);
$accepted = wp_mail(question()['to'], "Test e-mail from $name", "This is a test e-mail from $name.\n" . home_url());
answer(['accepted' => (bool) $accepted, 'detail' => (string) $detail]);
