import { Problem } from '#platform/contract/problem.ts'

export const missingContainer = (): Problem =>
  new Problem('conflict', "This site's container is missing. Reconcile the site, then try again.")
