<?php
/**
 * Plugin Name: Fleetpress
 * Description: Runs scheduled events on time. The server keeps this file up to date; changes to it are lost.
 * Version: 1
 */

if (is_file('/opt/fleetpress/must-use/fleetpress.php')) {
    require '/opt/fleetpress/must-use/fleetpress.php';
}
