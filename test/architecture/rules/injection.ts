import type { Node } from 'oxc-parser'
import { isProductFile } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule } from '../rule.ts'
import { calledName, isGlobal, keyName, memberName, namesImportedFrom } from '../syntax.ts'

const childProcess = ['child_process', 'node:child_process']
const processStarters = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork']

const isLiteral = (node: Node, value: unknown) => node.type === 'Literal' && node.value === value

const startsProcess = (module: ParsedModule, property: Node) => {
  const options = module.parentOf(property)
  const call = options && module.parentOf(options)
  return call?.type === 'CallExpression' && processStarters.includes(calledName(call.callee) ?? '')
}

const shellOptions = (module: ParsedModule): string[] =>
  module
    .nodesOf('Property')
    .filter(property => keyName(property) === 'shell')
    .filter(node => isLiteral(node.value, true) || (startsProcess(module, node) && !isLiteral(node.value, false)))
    .map(node => `${module.at(node)} asks for a shell; pass the words of the command as an array`)

const shellStarters = (module: ParsedModule): string[] => {
  const imported = namesImportedFrom(module, childProcess).filter(({ imported }) =>
    ['exec', 'execSync'].includes(imported),
  )
  const calls = module.nodesOf('CallExpression').filter(({ callee }) => calledName(callee) === 'execSync')
  return [...imported.map(({ node }) => node), ...calls].map(
    node => `${module.at(node)} runs text in a shell; use execFile or spawn with an array of words`,
  )
}

const isComposedText = (node: Node | undefined): boolean =>
  (node?.type === 'TemplateLiteral' && node.expressions.length > 0) ||
  (node?.type === 'BinaryExpression' && node.operator === '+')

const composedCommands = (module: ParsedModule): string[] =>
  module
    .nodesOf('CallExpression')
    .filter(({ callee, arguments: [text] }) => memberName(callee) === 'exec' && isComposedText(text))
    .map(node => `${module.at(node)} composes the text it executes; build a Command and let render quote it`)

const isName = (module: ParsedModule, node: Node) => {
  const parent = module.parentOf(node)
  const isMember = parent?.type === 'MemberExpression' && parent.property === node
  return !(isMember || (parent?.type === 'Property' && parent.key === node))
}

const evaluatedText = (module: ParsedModule): string[] => {
  const evaluations = [
    ...module.nodesOf('Identifier').filter(node => node.name === 'eval' && isName(module, node)),
    ...module.nodesOf('MemberExpression').filter(node => isGlobal(node, 'eval')),
    ...[...module.nodesOf('NewExpression'), ...module.nodesOf('CallExpression')].filter(({ callee }) =>
      isGlobal(callee, 'Function'),
    ),
  ]
  return evaluations.map(node => `${module.at(node)} runs text as code; write the code out`)
}

const rawMarkup = (module: ParsedModule): string[] => {
  const attributes = module.nodesOf('JSXAttribute').filter(({ name }) => name.name === 'dangerouslySetInnerHTML')
  const properties = module.nodesOf('Property').filter(node => keyName(node) === 'dangerouslySetInnerHTML')
  const assignments = module
    .nodesOf('AssignmentExpression')
    .filter(({ left }) => ['innerHTML', 'outerHTML'].includes(memberName(left) ?? ''))
  const inserts = module.nodesOf('CallExpression').filter(({ callee }) => memberName(callee) === 'insertAdjacentHTML')
  const inProduct = isProductFile(module.path) ? [...assignments, ...inserts] : []
  return [...attributes, ...properties, ...inProduct].map(
    node => `${module.at(node)} turns text into markup; let React render it as text`,
  )
}

/** Text never becomes a shell line, code or markup, in tests neither. */
export const injection: Rule = files => {
  const modules = modulesOf(files)
  return {
    checked: modules.length,
    violations: modules.flatMap(module => [
      ...shellOptions(module),
      ...shellStarters(module),
      ...composedCommands(module),
      ...evaluatedText(module),
      ...rawMarkup(module),
    ]),
  }
}
