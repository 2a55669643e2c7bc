/** One archive that the machine itself installs from. */
export interface AptSource {
  readonly uri: string
  readonly suite: string
}

/** Reads both forms of apt's sources: lines of `deb` and stanzas of fields. */
export const parseAptSources = (text: string): AptSource[] =>
  text.split(/\n\s*\n/).flatMap(stanza => {
    const lines = stanza.split('\n').filter(line => !/^\s*(#|$)/.test(line))
    return lines.some(line => /^types\s*:/i.test(line)) ? fromFields(lines) : lines.flatMap(fromLine)
  })

const fromLine = (line: string): AptSource[] => {
  const [kind, uri, suite] = line
    .replace(/\[[^\]]*\]/, ' ')
    .trim()
    .split(/\s+/)
  return kind === 'deb' && uri !== undefined && suite !== undefined ? [{ uri, suite }] : []
}

const fromFields = (lines: readonly string[]): AptSource[] => {
  const fields = new Map<string, string>()
  let field = ''
  for (const line of lines) {
    const [, name, value = ''] = /^([\w-]+)\s*:(.*)$/.exec(line) ?? []
    if (name !== undefined) field = name.toLowerCase()
    fields.set(field, `${fields.get(field) ?? ''} ${name === undefined ? line : value}`)
  }
  const wordsOf = (name: string) => (fields.get(name) ?? '').trim().split(/\s+/).filter(Boolean)
  if (!wordsOf('types').includes('deb') || wordsOf('enabled')[0]?.toLowerCase() === 'no') return []
  return wordsOf('uris').flatMap(uri => wordsOf('suites').map(suite => ({ uri, suite })))
}

/** The lines for another suite of the same archives: main, updates and security, as far as the machine has them. */
export const sourcesForSuite = (sources: readonly AptSource[], suite: string): string[] => {
  const isDebian = ({ uri }: AptSource) => /^(https?|file|cdrom|mirror\+\w+):.*\/debian\/?$/.test(uri)
  const archive = sources.find(source => isDebian(source) && !source.suite.includes('security'))
  const security = sources.find(source => source.suite.endsWith('-security'))
  if (archive === undefined) return []
  const lines = [`deb ${archive.uri} ${suite} main`]
  return security === undefined ? lines : [...lines, `deb ${security.uri} ${suite}-security main`]
}
