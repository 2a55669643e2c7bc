import type { FileHandle } from 'node:fs/promises'
import { checkEntries } from '#drivers/zip/check-entries.ts'
import { readBeginning } from '#drivers/zip/read-beginning.ts'
import { readDirectory } from '#drivers/zip/read-directory.ts'
import { NotZip, UnsafeZip, type ZipEntry } from '#drivers/zip/zip-entry.ts'
import { Problem } from '#platform/contract/problem.ts'
import { cleanLine } from '#platform/log/clean-line.ts'

/** What the archive of a plugin says of itself. */
export interface PluginHeader {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly requiresPhp: string
  readonly requiresWordpress: string
}

/** As much of a file as WordPress looks at. */
const HEADER_BYTES = 8 * 1024
const MOST_FILES = 200
const LONGEST_NAME = 100
/** What packers of other systems leave in an archive. */
const LEFT_OVER = '__MACOSX/'
const FOLDER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const VERSION = /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,29}$/

/** Refuses what is not the archive of one plugin, or not safe, before anything of it is unpacked. */
export const readHeader = async (file: FileHandle): Promise<PluginHeader> => {
  try {
    const entries = await readDirectory(file)
    checkEntries(entries, (await file.stat()).size)
    return await findHeader(file, entries)
  } catch (error) {
    if (error instanceof NotZip || error instanceof UnsafeZip) throw refusal(error.message)
    throw error
  }
}

const refusal = (message: string) =>
  new Problem('validation_error', message, [{ in: 'body', path: 'file', message: 'must be the zip of one plugin' }])

const findHeader = async (file: FileHandle, entries: readonly ZipEntry[]): Promise<PluginHeader> => {
  const own = entries.filter(({ name }) => !name.startsWith(LEFT_OVER))
  const folders = new Set(own.map(({ name }) => name.split('/', 1)[0] ?? ''))
  const [folder = ''] = folders
  if (folders.size !== 1 || !own.every(({ name }) => name.startsWith(`${folder}/`)))
    throw refusal('The zip must hold one folder with the plugin in it.')
  if (!FOLDER.test(folder)) throw refusal('The folder in the zip must be named with letters, digits, . _ and -.')
  const candidates = own.filter(({ name }) => /^[^/]+\/[^/]+\.php$/i.test(name)).slice(0, MOST_FILES)
  for (const entry of candidates) {
    const text = (await readBeginning(file, entry, HEADER_BYTES)).toString()
    const found = headerIn(text)
    if (found) return { folder, ...found }
  }
  throw refusal('No file in the zip has the header of a plugin. Themes and bundles of plugins are not supported.')
}

/** The name of a field at the beginning of a line, after what comments begin with. */
const FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*(Plugin Name|Version|Requires PHP|Requires at least):(.*)$/gim

const fieldsIn = (text: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>()
  for (const [, name = '', value = ''] of text.matchAll(FIELD)) {
    const key = name.toLowerCase()
    if (!fields.has(key)) fields.set(key, cleanLine(value.replace(/\s*(?:\*\/|\?>).*/, ''), LONGEST_NAME).trim())
  }
  return fields
}

const headerIn = (text: string): Omit<PluginHeader, 'folder'> | undefined => {
  const fields = fieldsIn(text)
  const name = fields.get('plugin name') ?? ''
  if (name === '') return undefined
  const versionOf = (field: string) => {
    const value = fields.get(field) ?? ''
    return VERSION.test(value) ? value : ''
  }
  return {
    name,
    version: versionOf('version') || '0',
    requiresPhp: versionOf('requires php'),
    requiresWordpress: versionOf('requires at least'),
  }
}
