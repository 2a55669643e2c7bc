<?php
// How a script of the panel is asked and answers.

namespace Fleetpress;

ob_start();
// What PHP complains about goes to the panel instead of the log of the site.
ini_set('error_log', '');

/** What the panel sent with its question. */
function question(): array
{
    $sent = json_decode((string) file_get_contents('php://input'), true);
    return is_array($sent) ? $sent : [];
}

/** Ends the script. What plugins print stands outside of the marks, so the panel does not see it. */
function answer(array $value): void
{
    while (ob_get_level() > 0 && @ob_end_clean());
    $mark = $_SERVER['FLEETPRESS_MARK'];
    echo $mark, json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), $mark;
    fastcgi_finish_request();
    exit;
}
