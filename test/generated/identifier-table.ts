import { z } from 'zod'
import * as identifiers from '#platform/contract/identifiers.ts'

/** A kind of name: its schema, and a value it takes whose first, middle and last character are ordinary ones. */
interface Kind {
  schema: z.ZodType
  sample: string
}

/** A kind without a sample here fails the test: it has to be decided what it takes. */
const SAMPLES: Record<string, string> = {
  Label: 'Main site',
  SiteSlug: 'my-blog-2',
  SiteTag: 'my-blog-2',
  ServerId: '125',
  Id: '01890000-0000-7000-8000-000000000000',
  Key: 'site.creates',
  Email: 'ab.cde@example.org',
  Hostname: 'web1.example.org',
  DomainName: 'web1.example.org',
  IpAddress: '192.0.2.123',
  AddressRange: '192.0.2.123',
  HostAddress: 'web1.example.org',
  Port: '125',
  UnixUser: 'deploy_user',
  FolderPath: '/srv/my-backups',
  FilePath: 'wp-content/index.php',
  FtpUsername: 'ada.lovelace',
  FtpFolder: 'wp-content/themes',
  FtpPassword: 'a password of mine',
  Locale: 'de_DE',
  WordpressUser: 'ada.lovelace',
  Notes: 'some notes',
  QueryFlag: 'true',
  SearchText: 'some text',
  Password: 'a password of mine',
  NewPassword: 'a password of mine',
  UnixMs: '1790000000000',
  CodeChallenge: 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE',
  LinkToken: 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE',
  'Page.limit': '125',
  'Page.offset': '125',
}

const exported = (): [string, unknown][] =>
  Object.entries(identifiers).flatMap(([name, value]): [string, unknown][] => {
    if (value instanceof z.ZodType) return [[name, value]]
    if (typeof value === 'function') return []
    return Object.entries(value).map(([field, schema]) => [`${name}.${field}`, schema])
  })

/** Everything that `identifiers.ts` exports and that is a kind of name. */
export const kinds = (): Map<string, Kind> =>
  new Map(
    exported()
      .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
      .map(([name, schema]) => {
        const sample = SAMPLES[name]
        if (sample === undefined) throw new Error(`test/generated/identifier-table.ts has no sample of ${name}`)
        if (!schema.safeParse(sample).success) throw new Error(`${name} does not take its own sample ${sample}`)
        return [name, { schema, sample }]
      }),
  )

const POSITIONS: Record<string, (sample: string, character: string) => string> = {
  alone: (_, character) => character,
  first: (sample, character) => character + sample.slice(1),
  inner: (sample, character) => {
    const middle = Math.floor(sample.length / 2)
    return sample.slice(0, middle) + character + sample.slice(middle + 1)
  },
  last: (sample, character) => sample.slice(0, -1) + character,
}

const ASCII = 128

const nameOf = (code: number): string => {
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return code > 32 && code < 127 ? `${hex} ${String.fromCharCode(code)}` : hex
}

const rowsOf = ([name, { schema, sample }]: [string, Kind]): string[] =>
  Array.from({ length: ASCII }, (_, code) => {
    const decisions = Object.values(POSITIONS).map(place =>
      schema.safeParse(place(sample, String.fromCharCode(code))).success ? 'accept' : 'reject',
    )
    return [name, nameOf(code), ...decisions].join('\t')
  })

/** The decision table as it follows from the schemas now. */
export const identifierTable = (all: Map<string, Kind> = kinds()): string[] => [
  ['kind', 'character', ...Object.keys(POSITIONS)].join('\t'),
  ...[...all].flatMap(rowsOf),
]

/** The lines of one table that the other has not, as `+` and `-`. */
export const differenceOf = (checkedIn: readonly string[], made: readonly string[]): string[] => {
  const [old, now] = [new Set(checkedIn), new Set(made)]
  return [
    ...checkedIn.filter(line => !now.has(line)).map(line => `- ${line}`),
    ...made.filter(line => !old.has(line)).map(line => `+ ${line}`),
  ]
}

if (import.meta.main) process.stdout.write(`${identifierTable().join('\n')}\n`)
