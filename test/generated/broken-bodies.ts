/** A body that no endpoint takes. */
export interface BrokenBody {
  raw: string | Buffer
  contentType?: string
}

const DEPTH = 10_000
const KEYS = 100_000
const BODY_LIMIT = 1_048_576

const many = (count: number, keyOf: (at: number) => string) =>
  `{${Array.from({ length: count }, (_, at) => `"${keyOf(at)}":{}`).join(',')}}`

/** The start of an object, to which the fields of a right body are added. */
const open = (body: unknown): string => {
  const text = JSON.stringify(body ?? {})
  return text === '{}' ? '{' : `${text.slice(0, -1)},`
}

/** Every way to break a body, from one that would be right. */
export const BROKEN_BODIES: Record<string, (right: unknown) => BrokenBody> = {
  'larger than a mebibyte': right => ({ raw: `${open(right)}"x":"${'x'.repeat(BODY_LIMIT)}"}` }),
  'cut off': right => ({ raw: `${open(right)}"x":` }),
  'no JSON': () => ({ raw: 'nope' }),
  'a comma too many': right => ({ raw: `${open(right)}"x":1,}` }),
  'two values': right => ({ raw: `${JSON.stringify(right ?? {})}{}` }),
  'a list': () => ({ raw: '[]' }),
  'a number': () => ({ raw: '1' }),
  'a text': () => ({ raw: '"x"' }),
  'plain text': right => ({ raw: JSON.stringify(right ?? {}), contentType: 'text/plain' }),
  'no content type': right => ({ raw: JSON.stringify(right ?? {}), contentType: '' }),
  'a broken content type': right => ({ raw: JSON.stringify(right ?? {}), contentType: 'json' }),
  'a form': () => ({ raw: 'name=x', contentType: 'application/x-www-form-urlencoded' }),
  'a field too many': right => ({ raw: `${open(right)}"unexpected":1}` }),
  'a field of every object': right => ({ raw: `${open(right)}"toString":{}}` }),
  '10,000 deep': right => ({ raw: `${open(right)}"x":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}` }),
  '10,000 deep in objects': right => ({ raw: `${open(right)}"x":${'{"x":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}}` }),
  '10,000 deep with half a character': right => ({
    raw: `${open(right)}"x":${'['.repeat(DEPTH)}"\\ud800"${']'.repeat(DEPTH)}}`,
  }),
  '100,000 fields': () => ({ raw: many(KEYS, at => at.toString(36)) }),
  'a NUL in a value': right => ({ raw: `${open(right)}"x":"a\\u0000b"}` }),
  'a NUL in a name': right => ({ raw: `${open(right)}"a\\u0000b":1}` }),
  'a raw NUL': right => ({ raw: `${open(right)}"x":"a\0b"}` }),
  'half a character': right => ({ raw: `${open(right)}"x":"a\\ud800b"}` }),
  'the other half': right => ({ raw: `${open(right)}"x":"\\uDC00"}` }),
  'half a character in a name': right => ({ raw: `${open(right)}"a\\udfffb":1}` }),
  'bytes that are not UTF-8': right => ({
    raw: Buffer.concat([Buffer.from(`${open(right)}"x":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
  }),
  'a prototype': right => ({ raw: `${open(right)}"__proto__":{"level":"full"}}` }),
  'a prototype further in': right => ({ raw: `${open(right)}"x":{"__proto__":{"level":"full"}}}` }),
  'a prototype written with escapes': right => ({ raw: `${open(right)}"\\u005f_proto__":{"level":"full"}}` }),
  'a constructor': right => ({ raw: `${open(right)}"constructor":{"prototype":{"level":"full"}}}` }),
}
