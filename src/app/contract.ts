import { admins } from '#features/admins/contract.ts'
import { jobs } from '#features/jobs/contract.ts'
import { login } from '#features/login/contract.ts'
import { panel } from '#features/panel/contract.ts'
import { servers } from '#features/servers/contract.ts'
import { setup } from '#features/setup/contract.ts'
import { sites } from '#features/sites/contract.ts'
import type { Contract } from '#platform/contract/endpoint.ts'

/** Everything that is served, by feature. Without the servers behind it, so that the CLI starts fast. */
export const contracts = { panel, jobs, admins, login, setup, servers, sites }

export const api = { ...panel, ...jobs, ...admins, ...login, ...setup, ...servers, ...sites }

export const groups: readonly { name: string; contract: Contract }[] = Object.entries(contracts).map(
  ([name, contract]) => ({ name, contract }),
)
