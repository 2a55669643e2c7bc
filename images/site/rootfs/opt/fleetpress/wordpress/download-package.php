<?php
// Downloads an update from its own author, with the license that only this site has. Where that is slow the panel does not
// wait for the answer, but looks for the file.

namespace Fleetpress;

require __DIR__ . '/boot.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';

ignore_user_abort(true);
$asked = question();
array_map('unlink', glob(ABSPATH . '.fleetpress-package-*'));
$isPlugin = $asked['kind'] === 'plugin';
$offers = (array) (get_site_transient($isPlugin ? 'update_plugins' : 'update_themes')->response ?? []);
$package = (string) (((array) ($offers[$asked['item']] ?? []))['package'] ?? '');
if ($package === '') {
    answer(['error' => 'The update has no package. Check the license of this item.']);
}
$skin = new \Automatic_Upgrader_Skin();
$upgrader = $isPlugin ? new \Plugin_Upgrader($skin) : new \Theme_Upgrader($skin);
$about = $isPlugin ? ['plugin' => $asked['item']] : ['theme' => $asked['item']];
$file = apply_filters('upgrader_pre_download', false, $package, $upgrader, $about);
$file = $file === false ? download_url($package, 120) : $file;
if (is_wp_error($file)) {
    answer(['error' => wp_strip_all_tags($file->get_error_message())]);
}
// It may come from another disk, so it gets its name only when it is whole.
$to = ABSPATH . basename($asked['to']);
$isSaved = rename($file, "$to.part") && rename("$to.part", $to);
answer(['error' => $isSaved ? null : 'The package could not be saved.']);
