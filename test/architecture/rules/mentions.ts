import { isTestFile } from '../locate.ts'
import type { RuleReport, SourceFiles } from '../rule.ts'

/** A file that has to name one of the patterns, and why. */
export interface AllowedMention {
  file: string
  pattern: string
  reason: string
}

interface Pattern {
  name: string
  advice: string
  occursIn(line: string, path: string): boolean
}

// The texts are put together from pieces, so that this file does not name what it forbids.
const registryHosts = [
  ['registry.', 'npmjs'],
  ['registry.', 'yarnpkg'],
  ['registry-1.', 'docker'],
  ['deb.', 'debian.org'],
  ['security.', 'debian.org'],
  ['archive.', 'ubuntu.com'],
  ['pypi', '.org'],
  ['files.', 'pythonhosted'],
  ['dl-cdn.', 'alpinelinux'],
].map(pieces => pieces.join(''))

/** An absolute path starts after a quote, a space or the like, never in the middle of another path or address. */
const namesFolder = (line: string, folder: string, endings: string[]) => {
  for (let at = line.indexOf(folder); at !== -1; at = line.indexOf(folder, at + 1)) {
    const startsHere = at === 0 || !/[\w.~\-})\]/*]/.test(line[at - 1] ?? '')
    if (startsHere && endings.includes(line[at + folder.length] ?? '')) return true
  }
  return false
}

const isPayloadFile = (path: string) => isTestFile(path) && /payload/i.test(path)

const patterns: Pattern[] = [
  {
    name: 'package registry',
    advice: 'leave the host to the settings of the machine it runs on',
    occursIn: line => registryHosts.some(host => line.includes(host)),
  },
  {
    name: 'work folder',
    advice: 'make the path relative to the file or to a setting',
    occursIn: line => namesFolder(line, ['', 'work'].join('/'), ['/', "'", '"', '`', ' ', '']),
  },
  {
    name: 'home of root',
    advice: 'ask for the home folder; only payload files of tests may spell it out',
    occursIn: (line, path) => !isPayloadFile(path) && namesFolder(line, ['', 'root'].join('/'), ['/']),
  },
]

const isText = (text: string) => !text.includes('\0')

/** No file names a package registry or a path of the machine the panel is developed on. */
export const mentions = (files: SourceFiles, allowed: AllowedMention[]): RuleReport => {
  const violations: string[] = []
  const unused = new Set(allowed)
  for (const [path, text] of files) {
    if (!isText(text)) continue
    for (const [index, line] of text.split('\n').entries()) {
      for (const { name, advice } of patterns.filter(pattern => pattern.occursIn(line, path))) {
        const permission = allowed.find(entry => entry.file === path && entry.pattern === name && entry.reason.trim())
        if (permission) unused.delete(permission)
        else violations.push(`${path}:${index + 1} names a ${name}; ${advice}`)
      }
    }
  }
  for (const { file, pattern } of unused) {
    violations.push(
      `test/architecture/allowed-mentions.json lets ${file} name a ${pattern} without need; delete the entry`,
    )
  }
  return { checked: files.size, violations }
}
