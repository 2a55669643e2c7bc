import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'

/** Files that are made to stop a scanner: by their size, by what they unpack to, or by what they cost to read. */

const MIB = 1024 ** 2
const RULES = join(import.meta.dirname, '../../../../images/scanner/rules')

const times = (text: string, count: number) => `<?php ${text.repeat(count)}`
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

const bomb = (bytes: number) => base64(deflateRawSync(Buffer.alloc(bytes), { level: 9 }))

const nested = (depth: number): string =>
  depth === 0 ? 'eval($_POST[1]);' : `eval(base64_decode('${base64(nested(depth - 1))}'));`

/** Each is about a mebibyte of what costs a reader of PHP most. */
const COSTLY: Readonly<Record<string, string>> = {
  'appended.php': times("$a.='x';", 120_000),
  'elements.php': times('$a[0].$a[1].', 80_000),
  'codes.php': times('chr(65).', 120_000),
  'open-brackets.php': times('(', MIB),
  'open-lists.php': times('[', MIB),
  'open-calls.php': times('f($_GET[', 120_000),
  'functions.php': times('function f($a){return f($a);} f($_GET[0]);', 25_000),
  'loops.php': times('foreach($_GET as $a=>$b){', 40_000),
  'assigned.php': times('$a=$b=$c=$_GET[0];', 60_000),
  'templates.php': times('"$a$b$c{$d}${e}";', 60_000),
  'unclosed-text.php': times("'", 1) + 'a'.repeat(MIB),
  'unclosed-template.php': `${times('"', 1)}${'${'.repeat(MIB / 2)}`,
  'unclosed-comment.php': `${times('/*', 1)}${'*'.repeat(MIB)}`,
  'heredocs.php': times('<<<A\n', 200_000),
  'tags.php': '<?php ?>'.repeat(130_000),
  'numbers.php': times('1+1*', 250_000),
  'dollars.php': times('$', MIB),
  'exclusive.php': times("'a'^'b'.", 130_000),
  'decoders.php': times("base64_decode('YQ==').", 50_000),
  'replaced.php': times("str_replace('a','aaaaaaaa','aaaaaaaa').", 25_000),
  'nested.php': `<?php ${nested(18)}`,
  'bytes.php': `<?php ${'\u0000\u00ff'.repeat(MIB / 4)}`,
}

const NAMES: Readonly<Record<string, string>> = {
  config: 'htaccess/.htaccess',
  script: 'page.jsp',
  media: 'picture.gif',
  picture: 'dot.gif',
}

/** For every rule what nearly matches it, over and over: its own words, with what may stand between them. */
const nearMisses = (): Record<string, string> => {
  const files: Record<string, string> = {}
  for (const file of readdirSync(RULES).filter(name => name.endsWith('.yar')))
    for (const [, name = '', on = '', strings = ''] of readFileSync(join(RULES, file), 'utf8').matchAll(
      /rule (\w+) \{.*?on = "(\w+)"\s+strings:(.*?)condition:/gs,
    )) {
      const words = [...new Set(strings.match(/[A-Za-z_]{3,}/g) ?? [])]
      const line = words.map(word => `$x = ${word}('a', $_POST[${word}], "${word} `).join(' ')
      const text = line.repeat(Math.ceil(MIB / 4 / line.length))
      files[`${name}/${NAMES[on] ?? 'near.php'}`] = on === 'config' ? text : `GIF89a<% <?php ${text}`
    }
  return files
}

export const hostileFiles = (bombBytes: number): Record<string, string | Buffer> => ({
  ...COSTLY,
  ...nearMisses(),
  'bomb.php': `<?php eval(gzinflate(base64_decode('${bomb(bombBytes)}')));`,
  'bombs.php': `<?php ${`eval(gzinflate(base64_decode('${bomb(4 * MIB)}')));`.repeat(100)}`,
  'bomb.gz': deflateRawSync(Buffer.alloc(bombBytes), { level: 9 }),
})
