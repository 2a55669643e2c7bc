import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LOSING = `export const up = async db => void (await db.deleteFrom('setting').execute())
`

/** A version whose migration deletes every setting. */
export const losesData = (root: string): void =>
  writeFileSync(join(root, 'src/features/system/migrations/0999-lost-settings.ts'), LOSING)

/** A version that starts, answers, and ends after some seconds. */
export const stopsSoon = (root: string): void => {
  const file = join(root, 'src/app/run.ts')
  const listen = 'await panel.listen()'
  const text = readFileSync(file, 'utf8')
  if (!text.includes(listen)) throw new Error(`${file} does not listen as it used to`)
  writeFileSync(file, text.replace(listen, `${listen}\n    setTimeout(() => process.exit(1), 4000)`))
}
