import { FileNotFound } from './errors.ts'
import type { FileStat, Host } from './host.ts'

/** What is at a path, if anything is. */
export const findFile = async (host: Pick<Host, 'stat'>, path: string): Promise<FileStat | undefined> => {
  try {
    return await host.stat(path)
  } catch (error) {
    if (error instanceof FileNotFound) return undefined
    throw error
  }
}
