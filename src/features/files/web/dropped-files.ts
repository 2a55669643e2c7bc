import { joined } from './paths.ts'

export interface Dropped {
  /** Where it belongs, relative to the folder it was dropped on. */
  readonly path: string
  readonly file: File
}

/** What a person dropped or chose, folders with all that is in them. */
export const droppedFiles = async ({ items }: DataTransfer): Promise<Dropped[]> => {
  // All at once: the browser forgets them when this turn ends.
  const entries = [...items].flatMap(item => item.webkitGetAsEntry() ?? [])
  return (await Promise.all(entries.map(entry => filesIn(entry, '')))).flat()
}

const filesIn = async (entry: FileSystemEntry, folder: string): Promise<Dropped[]> => {
  const path = joined(folder, entry.name)
  if (entry.isFile) return [{ path, file: await fileOf(entry as FileSystemFileEntry) }]
  const children = await childrenOf((entry as FileSystemDirectoryEntry).createReader())
  return (await Promise.all(children.map(child => filesIn(child, path)))).flat()
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** A reader gives a hundred at a time, and none at the end. */
const childrenOf = async (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> => {
  const children: FileSystemEntry[] = []
  for (;;) {
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (next.length === 0) return children
    children.push(...next)
  }
}

/** Every folder that has to be there first, parents before children. */
export const foldersOf = (dropped: readonly Dropped[]): string[] => {
  const folders = new Set<string>()
  for (const { path } of dropped) {
    const names = path.split('/').slice(0, -1)
    for (let at = 1; at <= names.length; at += 1) folders.add(names.slice(0, at).join('/'))
  }
  return [...folders].toSorted((a, b) => a.split('/').length - b.split('/').length)
}
