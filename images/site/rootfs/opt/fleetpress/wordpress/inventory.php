<?php
// What is installed, and which updates WordPress knows of. With `refresh` WordPress looks for updates first.

namespace Fleetpress;

require __DIR__ . '/boot.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

const HAS_PLUGINS = !\SHORTINIT;

function refresh(): void
{
    // Without this WordPress would find that it has looked recently enough.
    $expire = static function ($known) {
        if (is_object($known)) {
            $known = clone $known;
            $known->last_checked = 0;
        }
        return $known;
    };
    foreach (['plugins', 'themes'] as $kind) {
        add_filter("site_transient_update_$kind", $expire, PHP_INT_MAX);
        $kind === 'plugins' ? wp_update_plugins() : wp_update_themes();
        remove_filter("site_transient_update_$kind", $expire, PHP_INT_MAX);
    }
    wp_version_check([], true);
}

function text($value): string
{
    return is_scalar($value) ? (string) $value : '';
}

/** The offer of a newer version as WordPress keeps it: an object for a plugin, an array for a theme. */
function offer($offer): ?array
{
    $offer = (array) $offer;
    if (text($offer['new_version'] ?? '') === '') {
        return null;
    }
    return [
        'version' => text($offer['new_version']),
        'package' => text($offer['package'] ?? ''),
        'requiresPhp' => text($offer['requires_php'] ?? ''),
        'requiresWordpress' => text($offer['requires'] ?? ''),
    ];
}

/** As WP-CLI names it: the folder, or the file where there is none. */
function plugin_name(string $file): string
{
    return strpos($file, '/') === false ? basename($file, '.php') : dirname($file);
}

function plugin(string $file, array $headers, string $status): array
{
    return [
        'file' => $file,
        'name' => plugin_name($file),
        'title' => text($headers['Name'] ?? ''),
        'version' => text($headers['Version'] ?? ''),
        'status' => $status,
        'autoUpdate' => false,
        'update' => null,
    ];
}

function plugins(): array
{
    $offers = (array) (get_site_transient('update_plugins')->response ?? []);
    $automatic = (array) get_site_option('auto_update_plugins', []);
    $found = [];
    foreach (get_plugins() as $file => $headers) {
        $inactive = is_plugin_active($file) ? 'active' : 'inactive';
        $status = is_plugin_active_for_network($file) ? 'active-network' : $inactive;
        $found[] = array_merge(plugin($file, $headers, $status), [
            'autoUpdate' => in_array($file, $automatic, true),
            'update' => isset($offers[$file]) ? offer($offers[$file]) : null,
        ]);
    }
    foreach (get_mu_plugins() as $file => $headers) {
        $found[] = plugin($file, $headers, 'must-use');
    }
    // Their descriptions are translated, which WordPress cannot do without its plugins.
    foreach (HAS_PLUGINS ? get_dropins() : [] as $file => $headers) {
        $found[] = plugin($file, $headers, 'dropin');
    }
    return $found;
}

/** A theme is a folder with a style.css, or lies one folder deeper. */
function theme_folders(): array
{
    $root = WP_CONTENT_DIR . '/themes';
    $found = [];
    foreach ((array) @scandir($root) as $name) {
        if ($name[0] === '.' || !is_dir("$root/$name")) {
            continue;
        }
        if (is_file("$root/$name/style.css")) {
            $found[] = $name;
            continue;
        }
        foreach ((array) @scandir("$root/$name") as $deeper) {
            if ($deeper[0] !== '.' && is_file("$root/$name/$deeper/style.css")) {
                $found[] = "$name/$deeper";
            }
        }
    }
    return $found;
}

function themes(): array
{
    $offers = (array) (get_site_transient('update_themes')->response ?? []);
    $automatic = (array) get_site_option('auto_update_themes', []);
    [$active, $parent] = [get_option('stylesheet'), get_option('template')];
    $found = [];
    foreach (theme_folders() as $name) {
        $headers = get_file_data(
            WP_CONTENT_DIR . "/themes/$name/style.css",
            ['title' => 'Theme Name', 'version' => 'Version', 'template' => 'Template'],
            'theme'
        );
        $found[] = [
            'file' => "$name/style.css",
            'name' => $name,
            'title' => $headers['title'] === '' ? $name : $headers['title'],
            'version' => $headers['version'],
            'status' => $name === $active ? 'active' : ($name === $parent ? 'parent' : 'inactive'),
            'autoUpdate' => in_array($name, $automatic, true),
            'update' => isset($offers[$name]) ? offer($offers[$name]) : null,
        ];
    }
    return $found;
}

/** From the file, since a plugin may hide the version it runs with. */
function core(): array
{
    require ABSPATH . WPINC . '/version.php';
    $offers = [];
    foreach ((array) (get_site_transient('update_core')->updates ?? []) as $offer) {
        if (in_array($offer->response ?? '', ['upgrade', 'autoupdate'], true)) {
            $offers[] = text($offer->current ?? '');
        }
    }
    return [
        'version' => text($wp_version),
        'offers' => $offers,
        'databaseOutdated' => (int) get_option('db_version') < (int) $wp_db_version,
    ];
}

if (HAS_PLUGINS && !empty(question()['refresh'])) {
    refresh();
}
answer([
    'php' => PHP_VERSION,
    'multisite' => is_multisite(),
    'maintenance' => is_file(ABSPATH . '.maintenance'),
    'core' => core(),
    'plugins' => plugins(),
    'themes' => themes(),
    'users' => (int) $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->users"),
    'checkedAt' => (int) (get_site_transient('update_plugins')->last_checked ?? 0),
]);
