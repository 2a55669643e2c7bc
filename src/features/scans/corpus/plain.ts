import { along, INPUTS } from './inputs.ts'
import { php } from './spelling.ts'
import type { Technique } from './technique.ts'

export const PLAIN: readonly Technique[] = [
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
