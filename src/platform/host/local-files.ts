import { randomBytes } from 'node:crypto'
import { constants, type Dirent, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { errnoOf, FileFailed, FileNotFound, OutputTooLarge } from './errors.ts'
import type { DirEntry, FileKind, FileStat, MakeDirOptions, Owner, UploadOptions } from './host.ts'
import { refuseBadPath } from './host-path.ts'

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

const MAX_READ_BYTES = 16 * 1024 * 1024
const READ_BYTES = 256 * 1024

export const readLocalFile = (path: string, maxBytes = MAX_READ_BYTES): Promise<Buffer> =>
  onPath(path, async () => {
    await using file = await openRegular(path)
    const chunks: Buffer[] = []
    let sizeBytes = 0
    // Read to the end instead of trusting the size: files of /proc claim to be empty.
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, null)
      if (bytesRead === 0) return Buffer.concat(chunks)
      sizeBytes += bytesRead
      if (sizeBytes > maxBytes) throw new OutputTooLarge(path, maxBytes)
      chunks.push(buffer.subarray(0, bytesRead))
    }
  })

export const openLocalFile = (path: string): Promise<Readable> =>
  onPath(path, async () => (await openRegular(path)).createReadStream({ highWaterMark: READ_BYTES }))

/** Written next to its place under another name, made durable, then renamed over it. */
export const replaceLocalFile = async (
  path: string,
  data: string | Buffer | Readable,
  { mode = 0o600, owner, signal }: UploadOptions,
): Promise<void> => {
  // A stream that fails while the file is opened would otherwise end the panel.
  if (data instanceof Readable) data.on('error', () => {})
  // A stream that has stalled would not notice the abort by itself.
  if (data instanceof Readable && signal !== undefined) addAbortSignal(signal, data)
  try {
    await onPath(path, async () => {
      const folder = dirname(path)
      const beside = join(folder, `.write-${randomBytes(8).toString('hex')}.tmp`)
      const file = await open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
      try {
        await writeDurably(file, data, mode, owner)
        await rename(beside, path)
      } catch (error) {
        await unlink(beside).catch(() => {})
        throw error
      }
      await syncFolder(folder)
    })
  } catch (error) {
    signal?.throwIfAborted()
    // What went wrong in the source says nothing about the path.
    throw (data instanceof Readable && data.errored) || error
  } finally {
    if (data instanceof Readable) data.destroy()
  }
}

export const removeLocalFile = (path: string): Promise<void> =>
  onPath(path, async () => {
    await unlink(path).catch(error => {
      if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error
    })
  })

export const makeLocalDir = (path: string, { mode = 0o755, owner }: MakeDirOptions): Promise<void> =>
  onPath(path, async () => {
    await mkdir(path, { recursive: true })
    // Never through a link, or anyone who can place one chooses which folder changes hands.
    await using folder = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    await setAccess(folder, mode, owner)
  })

export const statLocalFile = (path: string): Promise<FileStat> =>
  onPath(path, async () => {
    const entry = await lstat(path)
    const { size, mode, uid, gid, mtimeMs } = entry
    return { kind: kindOf(entry), sizeBytes: size, mode: mode & 0o7777, uid, gid, modifiedAtMs: Math.floor(mtimeMs) }
  })

export const listLocalDir = (path: string): Promise<DirEntry[]> =>
  onPath(path, async () => {
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .map(entry => ({ name: entry.name, kind: kindOf(entry) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  })

const openRegular = async (path: string): Promise<FileHandle> => {
  const file = await open(path, O_RDONLY | O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new FileFailed(path, 'not_a_file')
}

const writeDurably = async (
  file: FileHandle,
  data: string | Buffer | Readable,
  mode: number,
  owner: Owner | undefined,
) => {
  try {
    await setAccess(file, mode, owner)
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The owner first: changing it takes special mode bits away. */
const setAccess = async (file: FileHandle, mode: number, owner: Owner | undefined): Promise<void> => {
  if (owner !== undefined) await file.chown(owner.uid, owner.gid)
  await file.chmod(mode)
}

/** Without it a rename can be lost when the power fails. */
const syncFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, O_RDONLY | O_DIRECTORY)
  await folder.sync()
}

const kindOf = (entry: Stats | Dirent): FileKind => {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** Checks the path first and turns the system's errors about it into typed ones. */
const onPath = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
  refuseBadPath(path)
  try {
    return await act()
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === undefined) throw error
    throw errno === 'ENOENT' ? new FileNotFound(path, error) : new FileFailed(path, errno, error)
  }
}
