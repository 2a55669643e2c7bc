import { exec } from '#platform/host/command.ts'
import type { HostSubject } from './subject.ts'

/** How often the marker is a word of a running process. */
export const countProcesses = async ({ host }: Pick<HostSubject, 'host'>, marker: string): Promise<number> => {
  const { stdout } = await host.run(exec('sh', '-c', 'cat /proc/[0-9]*/cmdline 2> /dev/null || :'))
  return stdout.split(marker).length - 1
}
