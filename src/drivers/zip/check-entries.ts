import { DEFLATED, STORED, UnsafeZip, type ZipEntry } from './zip-entry.ts'

const LONGEST_PATH = 4096
const LONGEST_NAME = 255
const DEEPEST_PATH = 100
/** Below this an archive may hold any number of zeros. */
const FREE_RATIO_BYTES = 100 * 1024 ** 2
const LARGEST_RATIO = 200
const LOCAL_HEADER_BYTES = 30

/** Throws for the first entry that could do harm. Sizes are what the archive says; unpacking it counts the real ones. */
export const checkEntries = (entries: readonly ZipEntry[], archiveBytes: number): void => {
  const kinds = new Map<string, 'file' | 'folder'>()
  for (const entry of entries) {
    const why = whyBad(entry) ?? whyTwice(entry, kinds)
    if (why !== undefined) throw new UnsafeZip(why, entry.name)
  }
  const totalBytes = entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0)
  if (totalBytes > FREE_RATIO_BYTES && totalBytes / LARGEST_RATIO > archiveBytes)
    throw new UnsafeZip(`it unpacks to more than ${LARGEST_RATIO} times its size`)
  refuseOverlaps(entries, archiveBytes)
}

const whyBad = ({ name, isFolder, isPlain, isEncrypted, method, unpackedBytes }: ZipEntry): string | undefined => {
  if (!isPlain) return 'it contains a link or a special file'
  if (isEncrypted) return 'it is encrypted'
  if (method !== STORED && method !== DEFLATED) return "it is packed in a way that isn't supported"
  if (isFolder && unpackedBytes > 0) return 'it contains a folder with content'
  return whyBadPath(isFolder ? name.slice(0, -1) : name)
}

const whyBadPath = (path: string): string | undefined => {
  if (path.startsWith('/') || /^.:/u.test(path)) return 'it contains an absolute path'
  if (path.includes('\\')) return 'it contains a name with a backslash'
  if (/\p{Cc}/u.test(path)) return 'it contains a name with a control character'
  const parts = path.split('/')
  if (path.length > LONGEST_PATH || parts.length > DEEPEST_PATH) return 'it contains a path that is too long'
  if (parts.some(part => part === '' || part === '.' || part === '..'))
    return 'it contains a path with empty parts or dots'
  if (parts.some(part => Buffer.byteLength(part) > LONGEST_NAME)) return 'it contains a name that is too long'
  return undefined
}

/** Also in another spelling: some disks don't tell upper from lower case. */
const whyTwice = (entry: ZipEntry, kinds: Map<string, 'file' | 'folder'>): string | undefined => {
  const path = (entry.isFolder ? entry.name.slice(0, -1) : entry.name).toLowerCase()
  const known = kinds.get(path)
  if (known === 'file' || (known === 'folder' && !entry.isFolder)) return 'it contains a name twice'
  kinds.set(path, entry.isFolder ? 'folder' : 'file')
  for (let parent = parentOf(path); parent !== ''; parent = parentOf(parent)) {
    if (kinds.get(parent) === 'file') return 'it contains a folder that is also a file'
    kinds.set(parent, 'folder')
  }
  return undefined
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Entries that share their bytes are how a small archive becomes a huge one. */
const refuseOverlaps = (entries: readonly ZipEntry[], archiveBytes: number): void => {
  let end = 0
  for (const { name, offset, packedBytes } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < end) throw new UnsafeZip('entries of it share their bytes', name)
    end = offset + LOCAL_HEADER_BYTES + Buffer.byteLength(name) + packedBytes
    if (end > archiveBytes) throw new UnsafeZip('an entry lies outside of it', name)
  }
}
