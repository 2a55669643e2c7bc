import type { Command } from 'commander'
import { bashScript, zshScript } from '../completion/scripts.ts'
import { treeOf } from '../completion/tree.ts'

export const completion = (shell: 'bash' | 'zsh', program: Command): void => {
  const nodes = treeOf(program)
  process.stdout.write(shell === 'bash' ? bashScript(nodes) : zshScript(nodes))
}
