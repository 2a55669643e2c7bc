import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { PAYLOADS } from '#test/support/conformance/payloads.ts'
import { type Argv, exec } from './command.ts'
import { LocalHost } from './local-host.ts'
import { quote } from './quote.ts'

/** A missing one fails the test: the host then throws CommandFailed 127. */
const SHELLS: Record<string, Argv> = { dash: ['dash'], bash: ['bash', '--norc'], 'busybox ash': ['busybox', 'ash'] }

const STRINGS = 100_000
const STRINGS_PER_BATCH = 10_000
const NESTED_STRINGS = 10_000
const NESTED_STRINGS_PER_BATCH = 100

const host = new LocalHost()
let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quote-'))
})
after(() => rm(folder, { recursive: true }))

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))

/** Each stresses another part of a shell's reader; together they hold every character below U+0100 but NUL. */
const ALPHABETS: readonly (readonly string[])[] = [
  range(0x01, 0xff),
  range(0x01, 0x7f),
  `'"\\\`$ \n\t\r;&|<>()[]{}*?~#!%=-^,:@`.split(''),
  [`'`, '\\', `'\\''`, '"', 'a', '\n'],
  [
    '😀',
    '\u2028',
    '\u202e',
    'e\u0301',
    '漢',
    '\ufeff',
    '\uffff',
    '\u{10ffff}',
    '\u0080',
    '\u0081',
    '\u0088',
    `'`,
    '\\',
  ],
  PAYLOADS.filter(payload => payload.length < 50),
]

/** fast-check picks seed, alphabet and size, and this fills them, which is faster than its choosing every character. */
const fill = ([seed, alphabet, maxBytes]: [number, readonly string[], number]): string => {
  let state = seed | 1
  let text = ''
  for (let sizeBytes = 0; ; ) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    const piece = alphabet[(state >>> 8) % alphabet.length] ?? ''
    sizeBytes += Buffer.byteLength(piece) || 1
    if (sizeBytes > maxBytes) return text
    text += piece
  }
}

const hostileString = (longestBytes: number) => {
  const sizeBytes = fc.oneof(
    { weight: 90, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 8, arbitrary: fc.integer({ min: 0, max: Math.min(400, longestBytes) }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: longestBytes }) },
  )
  return fc.tuple(fc.integer(), fc.constantFrom(...ALPHABETS), sizeBytes).map(fill)
}

const batchOf = (length: number, longestBytes: number) =>
  fc.array(hostileString(longestBytes), { minLength: length, maxLength: length, size: 'max' })

type Quote = (word: string) => string

/** The strings as the shell returned them, from one script with a printf for each. */
const echoedBy = (shell: Argv, strings: readonly string[], quoteWord: Quote): Promise<Buffer> =>
  outputOf(shell, strings.map(text => `printf %s ${quoteWord(text)}\nprintf '\\0'\n`).join(''))

/** The printf runs in an sh that a bash started that an sh started. */
const echoedThreeDeep = (strings: readonly string[], quoteWord: Quote): Promise<Buffer> => {
  const innermost = `printf '%s\\0' ${strings.map(quoteWord).join(' ')}`
  const middle = `sh -c ${quoteWord(innermost)}`
  return outputOf(['sh'], `sh -c ${quoteWord(`bash -c ${quoteWord(middle)}`)}`)
}

/** The script comes as a file, so that no quoting but its own is between it and the shell. */
const outputOf = async (shell: Argv, text: string): Promise<Buffer> => {
  const script = join(folder, 'script.sh')
  await writeFile(script, text)
  const chunks: Buffer[] = []
  const onStdout = (chunk: Buffer) => void chunks.push(chunk)
  await host.stream(exec(...shell, script), { cwd: folder, timeoutMs: 60_000, onStdout })
  return Buffer.concat(chunks)
}

/** Compares bytes, and names the first string that came back changed. */
const assertSame = (strings: readonly string[], output: Buffer): void => {
  if (output.equals(Buffer.from(strings.map(text => `${text}\0`).join('')))) return
  const returned = output.toString().split('\0')
  const at = strings.findIndex((text, index) => returned[index] !== text)
  assert.fail(`${JSON.stringify(strings[at])} came back as ${JSON.stringify(returned[at])}`)
}

void describe('quote', () => {
  void it(`returns ${STRINGS} strings unchanged from ${Object.keys(SHELLS).join(', ')}`, async () => {
    const unchanged = fc.asyncProperty(batchOf(STRINGS_PER_BATCH, 4096), async strings => {
      for (const shell of Object.values(SHELLS)) assertSame(strings, await echoedBy(shell, strings, quote))
    })
    await fc.assert(unchanged, { numRuns: STRINGS / STRINGS_PER_BATCH, endOnFailure: true })
  })

  void it(`returns ${NESTED_STRINGS} strings unchanged from three shells deep`, async () => {
    const unchanged = fc.asyncProperty(batchOf(NESTED_STRINGS_PER_BATCH, 120), async strings => {
      assertSame(strings, await echoedThreeDeep(strings, quote))
    })
    await fc.assert(unchanged, { numRuns: NESTED_STRINGS / NESTED_STRINGS_PER_BATCH, endOnFailure: true })
  })

  void it('returns the payloads, and every character below U+0800 alone, in quotes and doubled', async () => {
    const strings = [...PAYLOADS, ...range(0x01, 0x7ff).flatMap(char => [char, `'${char}'`, char + char])]
    for (const shell of Object.values(SHELLS)) assertSame(strings, await echoedBy(shell, strings, quote))
  })
})

void describe('the property itself', () => {
  const broken: Record<string, Quote> = {
    'no quotes at all': word => word,
    'double quotes': word => `"${word}"`,
    'a quote left as it is': word => `'${word}'`,
    'a quote escaped with a backslash': word => `'${word.replaceAll("'", "\\'")}'`,
    'only the first quote escaped': word => `'${word.replace("'", `'\\''`)}'`,
    'a quote dropped': word => `'${word.replaceAll("'", '')}'`,
    'a word that ends in a newline taken for a bare one': word => (/^\w+$/m.test(word) ? word : quote(word)),
  }
  // Fixed and harmless strings, because a broken quote lets the shell run them.
  const harmless = ['$((6*7))', "a'b'c'd'e", 'x\n']

  void it('finds nothing wrong with the real quote', async () => {
    for (const shell of Object.values(SHELLS)) assertSame(harmless, await echoedBy(shell, harmless, quote))
    assertSame(harmless, await echoedThreeDeep(harmless, quote))
  })

  for (const [title, brokenQuote] of Object.entries(broken)) {
    void it(`catches ${title}`, async () => {
      for (const shell of Object.values(SHELLS)) {
        await assert.rejects(async () => assertSame(harmless, await echoedBy(shell, harmless, brokenQuote)))
      }
      await assert.rejects(async () => assertSame(harmless, await echoedThreeDeep(harmless, brokenQuote)))
    })
  }

  void it('covers every character below U+0100 and sizes up to 4 KiB', () => {
    const strings = fc.sample(hostileString(4096), 20_000)
    const seen = new Set(strings.join(''))
    assert.deepEqual(
      range(0x01, 0xff).filter(char => !seen.has(char)),
      [],
    )
    const longest = Math.max(...strings.map(text => Buffer.byteLength(text)))
    assert.ok(longest > 4000 && longest <= 4096, `${longest}`)
  })
})
