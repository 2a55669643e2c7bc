import { posix } from 'node:path'
import type { Rule } from '../rule.ts'

const linkTarget = /\]\(([^)\s]+)\)/g

const isElsewhere = (target: string) => /^(?:[a-z]+:|#)/.test(target)

/** What a page of the documentation points to is in the repository, and not ignored by git. */
export const links: Rule = files => {
  const found = [...files]
    .filter(([path]) => path.endsWith('.md'))
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          [...line.matchAll(linkTarget)].map(([, target = '']) => ({ path, line: index + 1, target })),
        ),
    )
    .filter(({ target }) => !isElsewhere(target))
  return {
    checked: found.length,
    violations: found
      .filter(({ path, target }) => !files.has(posix.join(posix.dirname(path), target.replace(/#.*$/, ''))))
      .map(({ path, line, target }) => `${path}:${line} leads to ${target}, which is not in the repository`),
  }
}
