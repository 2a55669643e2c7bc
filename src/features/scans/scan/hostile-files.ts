import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'

/** Files that are made to stop a scanner: by their size, by what they unpack to, or by what they cost to read. */

const KIB = 1024
const MIB = 1024 ** 2
const RULES = join(import.meta.dirname, '../../../../images/scanner/rules')

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

const bomb = (bytes: number) => base64(deflateRawSync(Buffer.alloc(bytes), { level: 9 }))

const nested = (depth: number): string =>
  depth === 0 ? 'eval($_POST[1]);' : `eval(base64_decode('${base64(nested(depth - 1))}'));`

/** What costs a reader of PHP most, when there is a lot of it. */
const REPEATED: Readonly<Record<string, string>> = {
  'appended.php': "$a.='x';",
  'elements.php': '$a[0].$a[1].',
  'codes.php': 'chr(65).',
  'open-brackets.php': '(',
  'open-lists.php': '[',
  'open-calls.php': 'f($_GET[',
  'functions.php': 'function f($a){return f($a);} f($_GET[0]);',
  'loops.php': 'foreach($_GET as $a=>$b){',
  'assigned.php': '$a=$b=$c=$_GET[0];',
  'templates.php': '"$a$b$c{$d}$\x7be}";',
  'quotes.php': "'",
  'unclosed-template.php': '"$\x7b',
  'comments.php': '/*',
  'heredocs.php': '<<<A\n',
  'tags.php': '?><?php ',
  'numbers.php': '1+1*',
  'dollars.php': '$',
  'exclusive.php': "'a'^'b'.",
  'decoders.php': "base64_decode('YQ==').",
  'replaced.php': "str_replace('a','aaaaaaaa','aaaaaaaa').",
  'replaced-pairs.php': "str_replace(array('a','b'),array('bb','aa'),'ab').",
  'open-constants.php': "implode(array('a',-1,[",
  'filters.php': 'filter_input(INPUT_GET,',
  'picked.php': 'array_values($_SERVER',
  'bytes.php': '\u0000\u00ff',
  'patterns.php': "preg_replace('/(a*)*b/','','aaaaaaaaaaaaaaaa').",
  'named.php': "foreach(array('_GET')as$a)foreach($$a as$b=>$c)$$b=$c;",
  'pieces.asp': '"a"&',
  'codes.asp': 'chr(65)&"',
}

const costly = (bytes: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(REPEATED).map(([name, text]) => [name, `<?php ${text.repeat(Math.ceil(bytes / text.length))}`]),
  )

const NAMES: Readonly<Record<string, string>> = {
  config: 'htaccess/.htaccess',
  page: 'page.jsp',
  script: 'program.pl',
  media: 'picture.gif',
  picture: 'dot.gif',
}

/** For every rule what nearly matches it, over and over: its own words, with what may stand between them. */
const nearMisses = (bytes: number): Record<string, string> => {
  const files: Record<string, string> = {}
  for (const file of readdirSync(RULES).filter(name => name.endsWith('.yar')))
    for (const [, name = '', on = '', strings = ''] of readFileSync(join(RULES, file), 'utf8').matchAll(
      /rule (\w+) \{.*?on = "(\w+)"\s+strings:(.*?)condition:/gs,
    )) {
      const words = [...new Set(strings.match(/[A-Za-z_]{3,}/g) ?? [])]
      const line = words.map(word => `$x = ${word}('a', $_POST[${word}], "${word} `).join(' ')
      const text = line.repeat(Math.ceil(bytes / line.length))
      files[`${name}/${NAMES[on] ?? 'near.php'}`] = on === 'config' ? text : `GIF89a<% <?php ${text}`
    }
  return files
}

/** The larger, the more it costs: a mebibyte of each takes a minute. */
export const hostileFiles = (bytes: number): Record<string, string | Buffer> => ({
  ...costly(bytes),
  ...nearMisses(bytes / 8),
  'nested.php': `<?php ${nested(18)}`,
  'bomb.php': `<?php eval(gzinflate(base64_decode('${bomb(bytes * KIB)}')));`,
  'bombs.php': `<?php ${`eval(gzinflate(base64_decode('${bomb(4 * MIB)}')));`.repeat(100)}`,
  'bomb.gz': deflateRawSync(Buffer.alloc(bytes * KIB), { level: 9 }),
})
