import type { Command } from 'commander'

export interface Suggestion {
  word: string
  description: string
}

/** What may follow a command: its subcommands and options, and the values an option takes. */
export interface Node {
  /** The words that point here, without the program's own name. */
  path: string[]
  suggestions: Suggestion[]
  values: Map<string, string[]>
  /** Options that take a word, so that the word is not mistaken for a subcommand. */
  takesWord: string[]
}

const firstLine = (text: string): string => text.split('\n')[0] ?? ''

/** Flattens the command tree, so that scripts for shells need no logic of ours. */
export const treeOf = (command: Command, path: string[] = []): Node[] => {
  const options = command.options.filter(option => !option.hidden)
  const flags = options.flatMap(option =>
    [option.long, option.short].filter(flag => typeof flag === 'string').map(flag => ({ option, flag })),
  )
  const help = { word: '--help', description: 'show help' }
  return [
    {
      path,
      suggestions: [
        ...command.commands.map(one => ({
          word: one.name(),
          description: firstLine(one.summary() || one.description()),
        })),
        ...options.flatMap(({ long, description }) =>
          long ? [{ word: long, description: firstLine(description) }] : [],
        ),
        help,
      ],
      values: new Map(flags.flatMap(({ option, flag }) => (option.argChoices ? [[flag, option.argChoices]] : []))),
      takesWord: flags.filter(({ option }) => option.required || option.optional).map(({ flag }) => flag),
    },
    ...command.commands.flatMap(one => treeOf(one, [...path, one.name()])),
  ]
}

/** A word of a shell script that means itself. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
