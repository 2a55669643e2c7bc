import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { PassThrough, pipeline, Readable, Transform } from 'node:stream'
import { exec } from '../command.ts'
import { CommandFailed, FileFailed, FileNotFound, OutputTooLarge } from '../errors.ts'
import type { DirEntry, FileKind, FileStat, Host, MakeDirOptions, Owner, UploadOptions } from '../host.ts'
import { refuseBadPath } from '../host-path.ts'
import { SHELL } from '../shell-text.ts'
import { errnoIn } from './errno-message.ts'
import { MAKE_DIR, NOT_A_FILE, READ, REPLACE } from './file-scripts.ts'

type Remote = Pick<Host, 'run' | 'stream'>

const MAX_READ_BYTES = 16 * 1024 * 1024
const END_BYTES = 32

export const readRemoteFile = (host: Remote, path: string, maxBytes = MAX_READ_BYTES): Promise<Buffer> =>
  onPath(path, async () => {
    const chunks: Buffer[] = []
    let leftBytes = maxBytes
    const onStdout = (chunk: Buffer) => {
      leftBytes -= chunk.length
      if (leftBytes < 0) throw new OutputTooLarge(path, maxBytes)
      chunks.push(chunk)
    }
    await host.stream(exec(...SHELL, READ, path), { onStdout })
    return Buffer.concat(chunks)
  })

/** The first bytes, or the end of an empty file, tell that it could be opened. */
export const openRemoteFile = (host: Remote, path: string): Promise<Readable> =>
  onPath(path, async () => {
    const opened = Promise.withResolvers<Readable>()
    const abandoned = new AbortController()
    const file = new PassThrough({ highWaterMark: 1024 * 1024 })
    file.once('close', () => abandoned.abort())
    const onStdout = async (chunk: Buffer) => {
      opened.resolve(file)
      if (!file.write(chunk)) await once(file, 'drain', { signal: abandoned.signal })
    }
    const copy = async () => {
      try {
        await host.stream(exec(...SHELL, READ, path), { onStdout, signal: abandoned.signal })
        opened.resolve(file)
        file.end()
      } catch (error) {
        opened.reject(error)
        file.destroy(asFileError(path, error))
      }
    }
    // Anyone who has the file hears of it from the stream; before that, it is the answer.
    file.once('error', () => {})
    void copy()
    return opened.promise
  })

/** What is sent ends with a word that only a whole file ends with: a cut connection looks like an end too. */
export const replaceRemoteFile = async (
  host: Remote,
  path: string,
  data: string | Buffer | Readable,
  { mode = 0o600, owner, signal }: UploadOptions,
): Promise<void> => {
  const end = randomBytes(END_BYTES / 2).toString('hex')
  try {
    await onPath(path, async () => {
      const beside = `${dirname(path)}/.write-${randomBytes(8).toString('hex')}.tmp`.replace('//', '/')
      const words = [path, beside, mode.toString(8), ownerWord(owner), end]
      await host.stream(exec(...SHELL, REPLACE, ...words), { stdin: endingWith(end, data), signal })
    })
  } finally {
    if (data instanceof Readable) data.destroy()
  }
}

export const removeRemoteFile = (host: Remote, path: string): Promise<void> =>
  onPath(path, async () => {
    await host.run(exec('rm', '-f', '--', path))
  })

export const makeRemoteDir = (host: Remote, path: string, { mode = 0o755, owner }: MakeDirOptions): Promise<void> =>
  onPath(path, async () => {
    await host.run(exec(...SHELL, MAKE_DIR, path, mode.toString(8), ownerWord(owner)))
  })

export const statRemoteFile = (host: Remote, path: string): Promise<FileStat> =>
  onPath(path, async () => {
    const { stdout } = await host.run(exec('stat', '--printf=%f %s %u %g %.3Y', '--', path))
    const [mode = '', size = '', uid = '', gid = '', modified = ''] = stdout.split(' ')
    const bits = Number.parseInt(mode, 16)
    return {
      kind: kindOfMode(bits),
      sizeBytes: Number(size),
      mode: bits & 0o7777,
      uid: Number(uid),
      gid: Number(gid),
      modifiedAtMs: Number(modified.replace('.', '')),
    }
  })

/** With a slash behind it, a link to a folder is followed and anything else is an error. */
export const listRemoteDir = (host: Remote, path: string): Promise<DirEntry[]> =>
  onPath(path, async () => {
    const { stdout } = await host.run(
      exec('find', `${path}/`, '-mindepth', '1', '-maxdepth', '1', '-printf', '%y%f\\0'),
    )
    return stdout
      .split('\0')
      .slice(0, -1)
      .map(entry => ({ name: entry.slice(1), kind: KINDS[entry[0] ?? ''] ?? 'other' }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  })

const KINDS: Readonly<Record<string, FileKind>> = { f: 'file', d: 'directory', l: 'link' }

const kindOfMode = (mode: number): FileKind => {
  const kinds: Readonly<Record<number, FileKind>> = { 0o100000: 'file', 0o040000: 'directory', 0o120000: 'link' }
  return kinds[mode & 0o170000] ?? 'other'
}

const ownerWord = (owner: Owner | undefined): string => (owner === undefined ? '' : `${owner.uid}:${owner.gid}`)

const endingWith = (end: string, data: string | Buffer | Readable): Buffer | Readable => {
  if (!(data instanceof Readable)) return Buffer.concat([Buffer.from(data), Buffer.from(end)])
  const whole = new Transform({
    highWaterMark: 1024 * 1024,
    transform: (chunk: Buffer, _, done) => done(null, chunk),
    flush: done => done(null, end),
  })
  // Whatever goes wrong with the source is told by the stream that is returned.
  pipeline(data, whole, () => {})
  return whole
}

/** Checks the path first and turns what a program says about it into typed errors. */
const onPath = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
  refuseBadPath(path)
  try {
    return await act()
  } catch (error) {
    throw asFileError(path, error)
  }
}

/** What a program says about a path, as a typed error. */
export const asFileError = (path: string, error: unknown): Error => {
  if (!(error instanceof CommandFailed)) return error instanceof Error ? error : new Error(String(error))
  if (error.exitCode === NOT_A_FILE) return new FileFailed(path, 'not_a_file', error)
  const reason = errnoIn(error.stderr)
  return reason === 'ENOENT' ? new FileNotFound(path, error) : new FileFailed(path, reason, error)
}
