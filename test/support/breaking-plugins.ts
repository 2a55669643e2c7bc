import type { Published } from './wordpress-directory.ts'

export const plugin = (slug: string, version: string, code = ''): Published => ({
  kind: 'plugin',
  slug,
  version,
  files: {
    [`${slug}.php`]: `<?php\n/*\nPlugin Name: ${slug}\nVersion: ${version}\n*/\nadd_action('wp_footer', fn () => print('<!-- ${slug} ${version} -->'));\n${code}\n`,
    'lib/part.php': `<?php // ${slug} ${version}\n`,
  },
})

const adminPage = (slug: string, code: string) =>
  `add_action('admin_menu', fn () => add_menu_page('${slug}', '${slug}', 'manage_options', '${slug}-page', function () { ${code} }));`

/** Says that it is being updated for a few seconds, as a shop that changes its tables does. */
const MIGRATION = `if (get_option('slow_version') !== '1.1') {
  update_option('slow_version', '1.1');
  file_put_contents(ABSPATH . '.maintenance', '<?php $upgrading = time();');
  register_shutdown_function(function () { sleep(5); unlink(ABSPATH . '.maintenance'); });
}`

/** Takes what is left of the disk, and no longer works. */
const GREED = `$file = fopen(WP_CONTENT_DIR . '/greedy.bin', 'w');
while (@fwrite($file, str_repeat('x', 1 << 20)) === 1 << 20);
throw new Error('The disk is full.');`

/** Leaves something behind that breaks every page, whatever becomes of the plugin itself. */
const SABOTAGE = `file_put_contents(WPMU_PLUGIN_DIR . '/sabotage.php', '<?php throw new Error("sabotage");');`

export const saboteurPlugin = (version: '1.0' | '1.1'): Published =>
  plugin('saboteur', version, version === '1.1' ? SABOTAGE : '')

export const greedyPlugin = (version: '1.0' | '1.1'): Published =>
  plugin('greedy', version, version === '1.1' ? GREED : '')

/** Its author gives updates only to sites with a license, from an own server. */
export const premiumPlugin = (version: string, packageUrl: string): Published => {
  const offer = `(object) ['slug' => 'premium', 'plugin' => 'premium/premium.php', 'new_version' => '1.1', 'package' => '${packageUrl}']`
  return plugin(
    'premium',
    version,
    `add_filter('http_request_host_is_external', '__return_true');
add_filter('http_allowed_safe_ports', fn ($ports) => [...$ports, ${new URL(packageUrl).port}]);
add_filter('site_transient_update_plugins', function ($known) {
  $known = is_object($known) ? $known : (object) ['response' => []];
  if ('${version}' === '1.0') $known->response['premium/premium.php'] = ${offer};
  return $known;
});`,
  )
}

/** What a site has before an update. */
export const OLD_PLUGINS: readonly Published[] = [
  plugin('good', '1.0'),
  plugin('fatal', '1.0'),
  plugin('admin-only', '1.0', adminPage('admin-only', "print('fine');")),
  plugin('slow', '1.0'),
  plugin('corrupt', '1.0'),
  plugin('forged', '1.0'),
  plugin('needs-php', '1.0'),
]

/** What their authors have published since. */
export const NEW_PLUGINS: readonly Published[] = [
  plugin('good', '1.1'),
  plugin('fatal', '1.1', "throw new Error('broken on purpose');"),
  plugin('admin-only', '1.1', adminPage('admin-only', "throw new Error('broken on purpose');")),
  plugin('slow', '1.1', MIGRATION),
  { ...plugin('corrupt', '1.1'), isCorrupt: true },
  { ...plugin('forged', '1.1'), isForged: true },
  { ...plugin('needs-php', '1.1'), requiresPhp: '9.5' },
]

export const plainTheme = (version: string, code = ''): Published => ({
  kind: 'theme',
  slug: 'plain',
  version,
  files: {
    'style.css': `/*\nTheme Name: Plain\nVersion: ${version}\n*/`,
    'index.php': `<!doctype html><html><head><?php wp_head(); ?></head><body>plain ${version}<?php wp_footer(); ?></body></html>`,
    'functions.php': `<?php\n${code}\n`,
  },
})
