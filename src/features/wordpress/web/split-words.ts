/** The words of a command line: quotes hold words together, a backslash takes the next character as it is. */
export const splitWords = (line: string): string[] =>
  [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs)].map(([word]) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(.)/gs, '$1'),
    ),
  )
