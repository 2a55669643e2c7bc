<?php
// The pages that a plugin has in wp-admin.

namespace Fleetpress;

require __DIR__ . '/boot.php';

function file_of($callback): string
{
    try {
        if (is_string($callback) && strpos($callback, '::') !== false) {
            $callback = explode('::', $callback);
        }
        if (is_array($callback)) {
            return (string) (new \ReflectionMethod($callback[0], $callback[1]))->getFileName();
        }
        if (is_object($callback) && !$callback instanceof \Closure) {
            return (string) (new \ReflectionMethod($callback, '__invoke'))->getFileName();
        }
        return (string) (new \ReflectionFunction($callback))->getFileName();
    } catch (\ReflectionException $error) {
        return '';
    }
}

/** Whether one of the functions that draw the page lies in this folder. */
function is_drawn_by(string $hook, string $folder): bool
{
    foreach ($GLOBALS['wp_filter'][$hook]->callbacks ?? [] as $functions) {
        foreach ($functions as $each) {
            if (strpos(file_of($each['function']), $folder) === 0) {
                return true;
            }
        }
    }
    return false;
}

wp_set_current_user(find_user('')->ID ?? 0);
require_once ABSPATH . 'wp-admin/includes/admin.php';
$pagenow = 'index.php';
$plugin_page = null;
require ABSPATH . 'wp-admin/menu.php';

$folder = realpath(WP_PLUGIN_DIR . '/' . question()['name']);
$pages = [];
foreach ($submenu + ['' => $menu] as $parent => $entries) {
    foreach ($entries as $entry) {
        $page = (string) ($entry[2] ?? '');
        if ($folder !== false && is_drawn_by(get_plugin_page_hookname($page, (string) $parent), $folder)) {
            $base = is_file(ABSPATH . 'wp-admin/' . strtok((string) $parent, '?')) ? (string) $parent : 'admin.php';
            $pages[] = $base . (strpos($base, '?') === false ? '?' : '&') . 'page=' . rawurlencode($page);
        }
    }
}
answer(['pages' => array_values(array_unique($pages))]);
