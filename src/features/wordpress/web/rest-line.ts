import { Problem } from '#platform/contract/problem.ts'
import type { RestCall } from '../rest/contract.ts'

const LINE = /^(?:(GET|POST|PUT|PATCH|DELETE)\s+)?(\S*)\s*(.*)$/is

/** A line such as `POST /wp/v2/posts {"title":"Hello"}`. Without a method it is a GET. */
export const readRestLine = (line: string): RestCall => {
  const [, method = 'GET', route = '', body = ''] = LINE.exec(line.trim()) ?? []
  return {
    method: method.toUpperCase() as RestCall['method'],
    route,
    ...(body !== '' && { body: readBody(body) }),
  }
}

const readBody = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('validation_error', 'What follows the route must be JSON, such as {"title":"Hello"}.')
  }
}
