<?php
// Tells WordPress that the panel has updated something: its caches, its list of updates, its database, its hooks.

namespace Fleetpress;

require __DIR__ . '/boot.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';

/** The update is no longer on offer. */
function forget_offer(string $list, string $item): void
{
    $known = get_site_transient($list);
    if (is_object($known) && isset($known->response[$item])) {
        unset($known->response[$item]);
        set_site_transient($list, $known);
    }
}

$asked = question();
[$kind, $item] = [(string) $asked['kind'], (string) $asked['item']];
$skin = new \Automatic_Upgrader_Skin();
$said = ['action' => $asked['action'], 'type' => $kind, 'bulk' => true];
if ($kind === 'plugin') {
    wp_clean_plugins_cache(false);
    forget_offer('update_plugins', $item);
    do_action('upgrader_process_complete', new \Plugin_Upgrader($skin), $said + ['plugins' => [$item]]);
}
if ($kind === 'theme') {
    wp_clean_themes_cache(false);
    forget_offer('update_themes', $item);
    do_action('upgrader_process_complete', new \Theme_Upgrader($skin), $said + ['themes' => [$item]]);
}
if ($kind === 'core') {
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    delete_site_transient('update_core');
    wp_upgrade();
    do_action('_core_updated_successfully', $wp_version);
    do_action('upgrader_process_complete', new \Core_Upgrader($skin), $said);
}
answer(['done' => true]);
