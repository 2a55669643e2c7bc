import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'

/** Empty when there is no such file. */
export const readText = async (host: Host, path: string): Promise<string> => {
  try {
    return (await host.readFile(path)).toString()
  } catch (error) {
    if (error instanceof FileNotFound) return ''
    throw error
  }
}
