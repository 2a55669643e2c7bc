import { z } from 'zod'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { answerOf } from './data.ts'
import { defineTool, READS } from './tool.ts'

export const overview = defineTool({
  name: 'overview',
  title: 'Overview',
  description:
    'Start here. Shows what this connection may do, how many sites, servers and jobs there are, and what needs attention.',
  reach: 'read',
  hints: READS,
  input: z.strictObject({}),
  async run(_, { actor, call }) {
    const { sites, allowDangerous, level } = actor
    const id = sites === null ? 'overview' : 'siteList'
    const answer = answerOf(id, await call({ method: 'GET', url: sites === null ? '/api/overview' : '/api/sites' }))
    if ('ask' in answer) return answer
    const may = [
      `This connection has ${LEVEL_NAMES[level]} access to ${sites === null ? 'all sites' : sites.join(', ') || 'no site'}.`,
      allowDangerous
        ? 'Dangerous calls are allowed; a person confirms each one.'
        : 'Dangerous calls and saving files are not allowed.',
      'Use find_endpoints to learn what can be done. Changes start jobs; follow them with wait_for_job.',
    ].join(' ')
    return { ...answer, text: `${may}\n${answer.text}` }
  },
})
