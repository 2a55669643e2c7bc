<?php
// Runs before every script that a visitor or an event of the site starts. The site can read this folder, and not change it:
// a file in it switches a rule on.

(static function (): void {
    $is_on = static fn (string $name): bool => is_file(__DIR__ . '/' . $name);
    $script = (string) ($_SERVER['SCRIPT_FILENAME'] ?? '');

    if ($is_on('no-php-in-uploads')) {
        foreach ([$script, (string) realpath($script)] as $path) {
            if (stripos($path, '/wp-content/uploads/') !== false) {
                http_response_code(403);
                header('Content-Type: text/plain; charset=utf-8');
                exit("Not allowed\n");
            }
        }
    }
    if ($is_on('no-file-editor')) {
        define('DISALLOW_FILE_EDIT', true);
    }
    // WordPress's own scheduled updates are not an install in wp-admin.
    if ($is_on('no-installs') && basename($script) !== 'wp-cron.php') {
        define('DISALLOW_FILE_MODS', true);
    }
    // The edge believes anyone who says to be signed in; WordPress knows. It takes hooks that are there before it.
    if ($is_on('no-user-lists')) {
        $GLOBALS['wp_filter']['rest_pre_dispatch'][10]['fleetpress'] = [
            'accepted_args' => 3,
            'function' => static function ($result, $server, $request) {
                $is_list = preg_match('#^/wp/v2/users(?:/|$)#i', $request->get_route()) === 1;
                return $is_list && !is_user_logged_in()
                    ? new WP_Error('rest_forbidden', 'Not allowed', ['status' => 403])
                    : $result;
            },
        ];
    }
})();
