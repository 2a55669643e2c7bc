import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'

const DEFAULT_THEME = /'WP_DEFAULT_THEME', *'([a-z0-9-]+)'/

/**
 * A release brings plugins and themes that no new site uses, and WordPress itself then warns that they should go. The
 * default theme stays.
 */
export const removeUnused = async (host: Host, folder: string, signal: AbortSignal): Promise<void> => {
  const constants = (await host.readFile(`${folder}/wp-includes/default-constants.php`)).toString()
  const [, theme] = DEFAULT_THEME.exec(constants) ?? []
  await removeAllBut(host, `${folder}/wp-content/plugins`, ['index.php'], signal)
  if (theme !== undefined) await removeAllBut(host, `${folder}/wp-content/themes`, ['index.php', theme], signal)
}

const removeAllBut = async (
  host: Host,
  folder: string,
  kept: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  const others = kept.flatMap(name => ['-not', '-name', name])
  const remove = ['-exec', 'rm', '-rf', '--', '{}', '+']
  await host.run(exec('find', folder, '-mindepth', '1', '-maxdepth', '1', ...others, ...remove), { signal })
}
