import { type Command, exec, pipe } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'

/** Everything of a folder into another, owners, times and links included. */
export const copyFolder = (from: string, to: string): Command =>
  exec('cp', '--archive', '--reflink=auto', '--no-target-directory', '--', from, to)

/** Empties a folder and leaves it, since it may be where a disk is mounted. */
export const emptyFolder = (folder: string): Command =>
  exec('find', folder, '-mindepth', '1', '-xdev', '-not', '-path', `${folder}/lost+found*`, '-delete')

/** Two folders have the same digest when names, owners, modes, links and every byte are the same. */
export const digestFolder = async (host: Host, folder: string, signal: AbortSignal): Promise<string> => {
  const [entries, contents] = await Promise.all([
    host.run(pipe(listEntries, exec('sort', '-z'), exec('sha256sum')), { cwd: folder, signal }),
    host.run(pipe(listFiles, exec('sort', '-z'), hashEach, exec('sha256sum')), { cwd: folder, signal }),
  ])
  return `${entries.stdout.slice(0, 64)} ${contents.stdout.slice(0, 64)}`
}

const listEntries = exec(
  'find',
  '.',
  '-mindepth',
  '1',
  '-name',
  'lost+found',
  '-prune',
  '-o',
  '-printf',
  '%P %y %m %U %G %l\\0',
)
const listFiles = exec('find', '.', '-type', 'f', '-print0')
const hashEach = exec('xargs', '-0', '-r', 'sha256sum', '-z', '--')
