import type { Contract, Endpoint } from '#platform/contract/endpoint.ts'

export interface Group {
  name: string
  contract: Contract
}

export interface NamedEndpoint {
  id: string
  endpoint: Endpoint
  noun: string
  verb: string
}

export const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase()

const spellings = (word: string): string[] => [word, `${word}s`, `${word}es`, word.replace(/y$/, 'ies')]

const nameOne = (group: string, id: string, path: string): [string, string] => {
  const [first = id, ...rest] = kebab(id).split('-')
  const spelled = path.split('/').find(segment => spellings(first).includes(segment))
  return spelled !== undefined && rest.length > 0 ? [spelled, rest.join('-')] : [kebab(group), kebab(id)]
}

/**
 * The rule: the noun is the first word of the operation id as the path spells it, the verb is the rest of the id
 * (`jobTypeList` at /api/jobs/types: `jobs type-list`); an id whose first word is not in the path, or that is only one
 * word, is a verb of its group (`health`: `panel health`). A noun that is a command of this machine gets `api-` in
 * front, and a name that is taken gives way to `<group> <whole id>`. Sockets have no command: `ssh` is better at it.
 */
export const nameEndpoints = (groups: readonly Group[], taken: readonly string[]): NamedEndpoint[] => {
  const used = new Set<string>()
  return groups.flatMap(group =>
    Object.entries(group.contract)
      .filter(([, endpoint]) => !endpoint.socket)
      .map(([id, endpoint]) => {
        const [short, verb] = nameOne(group.name, id, endpoint.path)
        const [noun, name] = used.has(`${short} ${verb}`) ? [kebab(group.name), kebab(id)] : [short, verb]
        used.add(`${noun} ${name}`)
        return { id, endpoint, noun: taken.includes(noun) ? `api-${noun}` : noun, verb: name }
      }),
  )
}
