import { Secret } from '#platform/host/secret.ts'
import { obscure } from './obscure.ts'

/** A password, which rclone wants obscured; other secrets stand in the configuration as they are. */
export interface Password {
  readonly password: Secret
}

export type Options = Readonly<Record<string, string | number | boolean | Secret | Password | undefined>>

/** Remotes by name, as the text of a configuration file: only for a file of mode 0600. */
export const renderConfig = (remotes: Readonly<Record<string, Options>>, hide: typeof obscure = obscure): Secret =>
  new Secret(
    Object.entries(remotes)
      .map(([name, options]) => `[${nameOf(name)}]\n${linesOf(options, hide)}`)
      .join('\n'),
  )

const linesOf = (options: Options, hide: typeof obscure): string =>
  Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : `${nameOf(name)} = ${textOf(value, hide)}\n`))
    .join('')

const textOf = (value: NonNullable<Options[string]>, hide: typeof obscure): string => {
  if (typeof value === 'object' && 'password' in value) return hide(value.password.reveal())
  return plain(value instanceof Secret ? value.reveal() : String(value))
}

const nameOf = (name: string): string => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('not a name that a configuration of rclone can hold')
  return name
}

/** Whether a value means itself in a configuration: one line, no quotes around it, nothing that is looked up. */
export const isPlainValue = (text: string): boolean => text === text.trim() && !/\p{Cc}|^["`']|%\(/u.test(text)

const plain = (text: string): string => {
  if (!isPlainValue(text)) throw new Error('not a value that a configuration of rclone can hold')
  return text
}
