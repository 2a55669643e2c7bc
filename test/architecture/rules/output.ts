import type { Node } from 'oxc-parser'
import { isProductFile, isUnder } from '../locate.ts'
import { modulesOf, type ParsedModule } from '../parse.ts'
import type { Rule } from '../rule.ts'
import { memberName } from '../syntax.ts'

const SAID = ['stdout', 'stderr']

const isSaid = (node: Node): boolean =>
  (node.type === 'Identifier' && SAID.includes(node.name)) || SAID.includes(memberName(node) ?? '')

/** Words of ours around what a command said. Two outputs joined into one are still output. */
const sentencesWithOutput = (module: ParsedModule): string[] =>
  module
    .nodesOf('TemplateLiteral')
    .filter(
      ({ expressions, quasis }) => expressions.some(isSaid) && quasis.some(({ value }) => value.raw.trim() !== ''),
    )
    .map(
      node => `${module.at(node)} puts what a command said into a sentence; pass it on as the output of a KnownError`,
    )

const unknownErrors = (module: ParsedModule): string[] =>
  isUnder(module.path, ['src/drivers', 'src/features', 'src/platform/host'])
    ? module
        .nodesOf('ClassDeclaration')
        .filter(({ superClass }) => superClass?.type === 'Identifier' && superClass.name === 'Error')
        .map(node => `${module.at(node)} is an unknown error; extend KnownError, so that its message can be shown`)
    : []

/** What a site or a server said is data apart from our own words: Read only gets messages, never output. */
export const output: Rule = files => {
  const product = modulesOf(files).filter(({ path }) => isProductFile(path) && !isUnder(path, ['src/cli']))
  return {
    checked: product.length,
    violations: product.flatMap(module => [...sentencesWithOutput(module), ...unknownErrors(module)]),
  }
}
