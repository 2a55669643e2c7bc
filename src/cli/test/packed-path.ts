import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { ROOT } from '../repository.ts'

/** The variable that tells a run and its tests which folder holds them packed. */
export const PACKED_PLACE = 'FLEETPRESS_TEST_PACKED'

/** As stacks name a line of a file. */
const PLACE = /(?:file:\/\/)?([^\s:()]+\.js):(\d+):(\d+)/g

const packedName = (source: string): string => source.replace(/\.ts$/, '.js')

/** What Node runs in place of a file of the repository. */
export const packedPath = (source: string, folder: string | undefined): string => {
  const file = folder === undefined ? source : join(folder, packedName(relative(ROOT, resolve(ROOT, source))))
  return existsSync(file) ? file : source
}

/** The other way round, below the root of the repository. */
export const sourcePath = (file: string, folder: string | undefined): string =>
  folder !== undefined && file.startsWith(folder)
    ? relative(folder, file).replace(/\.js$/, '.ts')
    : relative(ROOT, file)

/** Names the lines of the sources wherever a text names those of packed files. */
export const withSources = (text: string, folder: string | undefined): string => {
  if (folder === undefined) return text
  const maps = new Map<string, SourceMap>()
  const mapOf = (file: string): SourceMap => {
    const map = maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
    maps.set(file, map)
    return map
  }
  return text.replace(PLACE, (whole, path: string, line: string, column: string) => {
    const file = resolve(ROOT, path)
    if (!file.startsWith(folder) || !existsSync(`${file}.map`)) return whole
    const found = mapOf(file).findEntry(Number(line) - 1, Number(column) - 1)
    if (!('originalSource' in found)) return whole
    const source = relative(ROOT, resolve(file, '..', found.originalSource))
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}
