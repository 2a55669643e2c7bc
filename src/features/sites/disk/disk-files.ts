import { exec, render } from '#platform/host/command.ts'
import { CommandFailed } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { htmlFolder, SITES_FOLDER, siteFolder } from '../paths.ts'
import type { DiskLimit } from './disk-limit.ts'

const MEASURE_LIMIT_MS = 5 * 60_000
const NOTHING_FOUND = 1
/** What du ends with when files are deleted while it counts. It has counted the rest. */
const SOMETHING_VANISHED = 1
const LINE = /\/([a-z0-9-]{1,63})\/disk-(limit|use|full):(\d{1,15}) (\d{1,12})(?: (\d{1,12}))?$/

/** What lies next to the files of a site: its limit, written here, and what the server's disk watch found. */
export interface DiskFiles {
  limit?: DiskLimit
  use?: DiskLimit & { atMs: number }
  /** The disk watch stopped the site at that time. */
  full?: { atMs: number }
}

export const limitFile = (slug: string): string => `${siteFolder(slug)}/disk-limit`
export const fullFile = (slug: string): string => `${siteFolder(slug)}/disk-full`
export const limitText = ({ bytes, files }: DiskLimit): string => `${bytes} ${files}\n`

/** Of every site of a server, by slug. */
export const readDiskFiles = async (host: Host, signal?: AbortSignal): Promise<Map<string, DiskFiles>> => {
  const find = ['find', SITES_FOLDER, '-mindepth', '2', '-maxdepth', '2', '-type', 'f', '-name', 'disk-*'] as const
  const { stdout } = await host.run(exec(...find, '-not', '-name', '*.part', '-exec', 'grep', '-sH', '', '{}', '+'), {
    allowExitCodes: [NOTHING_FOUND],
    timeoutMs: 60_000,
    signal,
  })
  return parseDiskFiles(stdout)
}

export const parseDiskFiles = (text: string): Map<string, DiskFiles> => {
  const found = new Map<string, DiskFiles>()
  for (const line of text.split('\n')) {
    const [, slug = '', kind, bytes, files, at] = LINE.exec(line) ?? []
    if (kind === undefined) continue
    const of = found.get(slug) ?? {}
    const figures = { bytes: Number(bytes), files: Number(files) }
    const atMs = Number(at ?? 0) * 1000
    if (kind === 'limit') of.limit = figures
    if (kind === 'use') of.use = { ...figures, atMs }
    if (kind === 'full') of.full = { atMs }
    found.set(slug, of)
  }
  return found
}

/** What a site uses at this moment, counted as the disk watch does. */
export const measureSite = async (host: Host, slug: string, signal: AbortSignal): Promise<DiskLimit> => {
  const count = async (unit: string): Promise<number> => {
    const words = ['du', '--summarize', '--one-file-system', '--count-links', unit, '--', htmlFolder(slug)] as const
    const options = { timeoutMs: MEASURE_LIMIT_MS, signal, allowExitCodes: [SOMETHING_VANISHED] }
    const ended = await host.run(exec(...words), options)
    // Nothing at all where there is no such folder.
    if (ended.stdout === '')
      throw new CommandFailed({ ...ended, host: host.name, command: render(exec(...words)), signal: null })
    return Number.parseInt(ended.stdout, 10)
  }
  return { bytes: await count('--block-size=1'), files: await count('--inodes') }
}
