import type { Node } from 'oxc-parser'
import { isTestFile } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule } from '../rule.ts'
import { calledName, keyName, memberName } from '../syntax.ts'

const unfinishedWork = /\b(TODO|FIXME)\b/

const silencedChecks = /@ts-ignore|@ts-expect-error|@ts-nocheck|biome-ignore|oxlint-disable|eslint-disable/

const isOtherCode = (path: string) => /\.(php|sh|css|sql|conf)$|(^|\/)(Dockerfile[^/]*|fleetpress)$/.test(path)

const commentShortcuts = (module: ParsedModule): string[] =>
  module.comments.flatMap(comment => {
    const silenced = silencedChecks.exec(comment.value)?.[0]
    return [
      ...(unfinishedWork.test(comment.value)
        ? [`${module.at(comment)} leaves work for later; do it or open an issue`]
        : []),
      ...(silenced ? [`${module.at(comment)} silences a check with ${silenced}; fix what it reports`] : []),
    ]
  })

const untypedCasts = (module: ParsedModule): string[] =>
  [...module.nodesOf('TSAsExpression'), ...module.nodesOf('TSTypeAssertion')]
    .filter(({ typeAnnotation }) => typeAnnotation.type === 'TSAnyKeyword')
    .map(node => `${module.at(node)} casts to any; use unknown and narrow it`)

const skipsByOption = (callee: Node, options: Node[]) => {
  const first = callee.type === 'MemberExpression' ? callee.object : callee
  const isTestCall = ['test', 'it', 'describe', 'suite'].includes(calledName(first) ?? calledName(callee) ?? '')
  const properties = options.flatMap(node => (node.type === 'ObjectExpression' ? node.properties : []))
  return (
    isTestCall &&
    properties.some(node => node.type === 'Property' && ['skip', 'only', 'todo'].includes(keyName(node) ?? ''))
  )
}

const leftOutTests = (module: ParsedModule): string[] => {
  const skippingCalls = isTestFile(module.path) ? ['skip', 'only', 'todo'] : ['skip', 'only']
  return module
    .nodesOf('CallExpression')
    .filter(
      ({ callee, arguments: words }) =>
        skippingCalls.includes(memberName(callee) ?? '') || (isTestFile(module.path) && skipsByOption(callee, words)),
    )
    .map(node => `${module.at(node)} leaves tests out; a skipped test fails, so make it run or delete it`)
}

const otherShortcuts = ([path, text]: [string, string]): string[] =>
  text.split('\n').flatMap((line, index) => {
    return unfinishedWork.test(line) ? [`${path}:${index + 1} leaves work for later; do it or open an issue`] : []
  })

/** Nothing is left for later, silenced, left out or cast away, and every module can be parsed. */
export const shortcuts: Rule = files => {
  const modules = modulesOf(files)
  const otherCode = [...files].filter(([path]) => isOtherCode(path))
  return {
    checked: modules.length + otherCode.length,
    violations: [
      ...modules.flatMap(({ errors }) => errors.map(error => `${error}; the module cannot be parsed, fix it`)),
      ...modules.flatMap(module => [...commentShortcuts(module), ...untypedCasts(module), ...leftOutTests(module)]),
      ...otherCode.flatMap(otherShortcuts),
    ],
  }
}
