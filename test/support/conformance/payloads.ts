import { MARKUP, ODD_TEXT, PATHS, SHELL } from '#test/generated/payloads.ts'

/** What only a shell or a program could take for more than a word. */
const WORDS = [
  '--',
  '-',
  '--use-compress-program=touch CANARY',
  '-e sh',
  '--config=CANARY',
  '~',
  '>',
  '$((7*7))',
  'a[$(id)]',
  '&',
  ';',
  `${"'".repeat(4096)}b`,
  'A=b',
  '\t',
  '\x7f',
  "it's",
  "ends with '",
  '\\\\',
  "\\'",
  'ends with \\',
  ' leading',
  'trailing ',
  'trailing\n',
  '\n',
  '\x01\x02\x1f',
  '\u0080\u00ff',
  '🦊👩‍👩‍👧',
]

/** Everything that a command must receive unchanged. NUL and half characters are refused instead. */
export const PAYLOADS: readonly string[] = [...new Set([...SHELL, ...PATHS, ...MARKUP, ...ODD_TEXT, ...WORDS])]
