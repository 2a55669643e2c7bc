import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const FILLER = 'filler'

/** A file system of its own, so that it can be full or read-only without harm to anybody else. */
export interface SmallDisk extends Disposable {
  readonly path: string
  /** To the last byte. */
  fill(): void
  free(): void
  /** As the kernel does after an error: whatever was open for writing stays open, and fails. */
  turnReadOnly(): void
  /** Repaired and writable again; nothing of it may be open. */
  repair(): void
}

const run = (program: string, ...words: string[]): string => execFileSync(program, words, { encoding: 'utf8' }).trim()

/** Needs root, like everything else the panel does. */
export const smallDisk = (sizeBytes: number): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-disk-'))
  const [image, path] = [join(folder, 'image'), join(folder, 'mounted')]
  const mount = () => run('mount', '-o', 'loop,errors=remount-ro', image, path)
  writeFileSync(image, '')
  truncateSync(image, sizeBytes)
  run('mkfs.ext4', '-q', '-F', '-m', '0', image)
  run('mkdir', path)
  mount()
  return {
    path,
    fill: () => fillUp(join(path, FILLER)),
    free: () => rmSync(join(path, FILLER), { force: true }),
    turnReadOnly: () => {
      const device = basename(run('findmnt', '-no', 'SOURCE', path))
      writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, 'test')
    },
    repair: () => {
      run('umount', path)
      // Its exit code says that it repaired something.
      try {
        run('fsck.ext4', '-y', image)
      } catch {}
      mount()
    },
    [Symbol.dispose]: () => {
      run('umount', path)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const fillUp = (file: string): void => {
  const fd = openSync(file, 'a')
  try {
    for (const size of [1024 * 1024, 4096, 1]) {
      const chunk = Buffer.alloc(size, 'x')
      try {
        for (;;) writeSync(fd, chunk)
      } catch {}
    }
  } finally {
    closeSync(fd)
  }
}
