import { isProductFile, isTestFile } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { RuleReport, SourceFiles } from '../rule.ts'
import { functionsOf, nameOf } from '../syntax.ts'

/** What is over budget, by `path` or `path > function`, and how many lines it has; it may only shrink. */
export type Allowlist = Record<string, number>

interface Measure {
  key: string
  at: string
  what: string
  lines: number
  budget: number
  hardLimit?: number
}

const allowlistPath = 'test/architecture/allowlist.json'

const linesOf = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const measureFile = (path: string, text: string): Measure[] => {
  const file = { key: path, at: `${path}:1`, lines: linesOf(text) }
  if (/(^|\/)AGENTS\.md$/.test(path)) return [{ ...file, what: 'AGENTS.md', budget: 150 }]
  if (!/\.([cm]?[jt]sx?|css)$/.test(path)) return []
  if (isTestFile(path)) return [{ ...file, what: 'the test file', budget: 400, hardLimit: 400 }]
  if (!isProductFile(path) || path.startsWith('src/migrations/')) return []
  const isDoor = /^src\/features\/[^/]+\/(web\/)?index\.ts$/.test(path)
  return [{ ...file, what: isDoor ? 'the door' : 'the file', budget: isDoor ? 40 : 300, hardLimit: 400 }]
}

const measureFunctions = (module: ParsedModule): Measure[] =>
  functionsOf(module).map(node => {
    const name = nameOf(module, node) ?? '(nameless)'
    const isComponent = module.path.endsWith('.tsx') && /^[A-Z]/.test(name)
    return {
      key: `${module.path} > ${name}`,
      at: module.at(node),
      what: `${isComponent ? 'the component' : 'the function'} ${name}`,
      lines: module.lineAt(node.end) - module.lineAt(node.start) + 1,
      budget: isComponent ? 120 : 40,
    }
  })

const judge = ({ key, at, what, lines, budget, hardLimit }: Measure, allowlist: Allowlist): string[] => {
  if (hardLimit && lines > hardLimit)
    return [`${at} ${what} has ${lines} lines; ${hardLimit} is the hard limit, split it`]
  if (lines <= budget) return []
  const allowed = allowlist[key]
  if (allowed === undefined || allowed < lines)
    return [`${at} ${what} has ${lines} lines; the budget is ${budget}, split it`]
  if (allowed > lines) return [`${allowlistPath} allows ${key} ${allowed} lines, it has ${lines}; lower the entry`]
  return []
}

/** Files and functions stay small enough to be read at once. */
export const budgets = (files: SourceFiles, allowlist: Allowlist): RuleReport => {
  const functions = modulesOf(files)
    .filter(({ path }) => isProductFile(path) && !path.startsWith('src/migrations/'))
    .flatMap(measureFunctions)
  const measures = [...[...files].flatMap(([path, text]) => measureFile(path, text)), ...functions]
  const overBudget = new Set(measures.filter(({ lines, budget }) => lines > budget).map(({ key }) => key))
  const needless = Object.keys(allowlist).filter(key => !overBudget.has(key))
  return {
    checked: measures.length,
    violations: [
      ...measures.flatMap(measure => judge(measure, allowlist)),
      ...needless.map(key => `${allowlistPath} lists ${key}, which keeps its budget or is gone; delete the entry`),
    ],
  }
}
