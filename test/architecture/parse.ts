import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser'
import type { SourceFiles } from './rule.ts'

export type NodeType = Node['type']
export type NodeOfType<T extends NodeType, N = Node> = N extends { type: infer U } ? (T extends U ? N : never) : never

export interface ParsedModule {
  path: string
  source: string
  comments: Comment[]
  errors: string[]
  nodesOf<T extends NodeType>(type: T): NodeOfType<T>[]
  parentOf(node: Node): Node | undefined
  lineAt(offset: number): number
  /** `path:line`, the way every violation names its place. */
  at(node: { start: number }): string
}

const isModulePath = (path: string) => /\.[cm]?[jt]sx?$/.test(path)

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const childrenOf = (node: Node): Node[] =>
  (visitorKeys[node.type] ?? []).flatMap(key => {
    const child: unknown = Reflect.get(node, key)
    return Array.isArray(child) ? child.filter(isNode) : isNode(child) ? [child] : []
  })

const indexNodes = (root: Node) => {
  const byType = new Map<string, Node[]>()
  const parents = new Map<Node, Node>()
  const pending = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    const sameType = byType.get(node.type)
    if (sameType) sameType.push(node)
    else byType.set(node.type, [node])
    for (const child of childrenOf(node).toReversed()) {
      parents.set(child, node)
      pending.push(child)
    }
  }
  return { byType, parents }
}

const lineCounter = (source: string) => {
  const lineStarts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  return (offset: number) => {
    let low = 0
    let high = lineStarts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((lineStarts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

const parseModule = (path: string, source: string): ParsedModule => {
  const result = parseSync(path, source, { preserveParens: false })
  const { byType, parents } = indexNodes(result.program)
  const lineAt = lineCounter(source)
  return {
    path,
    source,
    comments: result.comments,
    errors: result.errors.map(error => `${path}:${lineAt(error.labels[0]?.start ?? 0)} ${error.message}`),
    // A type predicate would say the same and cost the type check half a minute: there are some 170 kinds of nodes.
    nodesOf: <T extends NodeType>(type: T) => (byType.get(type) ?? []) as unknown as NodeOfType<T>[],
    parentOf: node => parents.get(node),
    lineAt,
    at: node => `${path}:${lineAt(node.start)}`,
  }
}

// Every rule asks for the same modules, so each set of files is parsed once.
const parsedSets = new WeakMap<SourceFiles, ParsedModule[]>()

export const modulesOf = (files: SourceFiles): ParsedModule[] => {
  const known = parsedSets.get(files)
  if (known) return known
  const modules = [...files].filter(([path]) => isModulePath(path)).map(([path, source]) => parseModule(path, source))
  parsedSets.set(files, modules)
  return modules
}
