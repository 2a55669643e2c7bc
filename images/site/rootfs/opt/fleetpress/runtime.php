<?php
// What this site's PHP is, for the panel; boots nothing.
header('Content-Type: application/json');
echo json_encode([
    'php' => PHP_VERSION,
    'uid' => posix_getuid(),
    'extensions' => get_loaded_extensions(),
    'prepended' => get_included_files() !== [__FILE__],
]);
