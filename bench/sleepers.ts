import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

const run = promisify(execFile)

const docker = async (...words: string[]): Promise<string> => (await run('docker', words)).stdout.trim()

export interface Sleepers {
  /** Starts one container from the image; its id. */
  start(options: readonly string[], program?: readonly [string, ...string[]]): Promise<string>
  /** Removes the containers and the image. */
  remove(): Promise<void>
}

/** The programs with the libraries they need, straight from this machine: no registry, no package. */
const importImage = async (tag: string, programs: readonly string[]): Promise<void> => {
  const paths = await Promise.all(
    programs.map(async program => {
      const { stdout } = await run('ldd', [program])
      return [program, ...(stdout.match(/\/\S+/g) ?? [])]
    }),
  )
  const pack = spawn('tar', ['-c', '-h', '-P', '-f', '-', ...new Set(paths.flat())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const load = spawn('docker', ['import', '-', tag], { stdio: [pack.stdout, 'ignore', 'inherit'] })
  const [code] = (await once(load, 'close')) as [number]
  if (code !== 0) throw new Error(`docker import ended with ${code}`)
}

/** Containers that do next to nothing, of an image and a label of this process only. */
export const sleepers = async (): Promise<Sleepers> => {
  const mark = `fleetpress-sleepers-${process.pid}`
  await importImage(mark, ['/usr/bin/sleep', '/usr/bin/yes'])
  const name = `label=${mark}`
  return {
    start: (options, program = ['/usr/bin/sleep', '1000000']) =>
      docker('run', '-d', '--network', 'none', '--log-driver', 'none', '--label', mark, ...options, mark, ...program),
    remove: async () => {
      const ids = (await docker('ps', '-aq', '--filter', name)).split('\n').filter(id => id !== '')
      if (ids.length > 0) await docker('rm', '-f', ...ids)
      await docker('rmi', mark)
    },
  }
}
