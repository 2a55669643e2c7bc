import { admins } from '#features/admins/contract.ts'
import { backups } from '#features/backups/contract.ts'
import { blocks } from '#features/blocks/contract.ts'
import { catalog } from '#features/catalog/contract.ts'
import { dns } from '#features/dns/contract.ts'
import { files } from '#features/files/contract.ts'
import { ftp } from '#features/ftp/contract.ts'
import { jobs } from '#features/jobs/contract.ts'
import { login } from '#features/login/contract.ts'
import { mail } from '#features/mail/contract.ts'
import { mcp } from '#features/mcp/contract.ts'
import { monitor } from '#features/monitor/contract.ts'
import { offsite } from '#features/offsite/contract.ts'
import { panel } from '#features/panel/contract.ts'
import { protection } from '#features/protection/contract.ts'
import { recipes } from '#features/recipes/contract.ts'
import { scans } from '#features/scans/contract.ts'
import { schedules } from '#features/schedules/contract.ts'
import { servers } from '#features/servers/contract.ts'
import { setup } from '#features/setup/contract.ts'
import { siteRecipes } from '#features/site-recipes/contract.ts'
import { sites } from '#features/sites/contract.ts'
import { system } from '#features/system/contract.ts'
import { upkeep } from '#features/upkeep/contract.ts'
import { wordpress } from '#features/wordpress/contract.ts'
import { wordpressFleet } from '#features/wordpress-fleet/contract.ts'
import type { Contract } from '#platform/contract/endpoint.ts'

/**
 * What every feature serves: the one list a new feature is added to. Server, browser, CLI and OpenAPI follow it, in this
 * order. Only contracts are imported here, so that the CLI starts fast and the browser may import it, too.
 */
export const contracts = {
  schedules,
  panel,
  jobs,
  admins,
  login,
  setup,
  servers,
  monitor,
  dns,
  sites,
  upkeep,
  catalog,
  wordpress,
  'wordpress-fleet': wordpressFleet,
  recipes,
  'site-recipes': siteRecipes,
  files,
  ftp,
  backups,
  offsite,
  scans,
  blocks,
  protection,
  mail,
  mcp,
  system,
}

type Together<C> = (C extends unknown ? (contract: C) => void : never) extends (all: infer All) => void ? All : never

/** Every endpoint by its id. */
export const api = Object.assign({}, ...Object.values(contracts)) as Together<
  (typeof contracts)[keyof typeof contracts]
>

export const groups: readonly { name: string; contract: Contract }[] = Object.entries(contracts).map(
  ([name, contract]) => ({ name, contract }),
)
