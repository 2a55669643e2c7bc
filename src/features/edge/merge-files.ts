import type { EdgeFiles } from '#drivers/nginx/generations.ts'

/** The files of every feature together. Two that name the same file would overwrite each other silently. */
export const mergeFiles = (parts: readonly EdgeFiles[]): EdgeFiles => {
  const merged = new Map<string, string>()
  for (const [path, text] of parts.flatMap(part => Object.entries(part))) {
    if (merged.has(path)) throw new Error(`two features write the file ${path} of the edge`)
    merged.set(path, text)
  }
  return Object.fromEntries(merged)
}
