import type { LICENSE_STATUSES } from './steps/contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    recipe: RecipeTable
    recipe_value: RecipeValueTable
    site_license: SiteLicenseTable
  }
}

export interface RecipeTable {
  id: string
  name: string
  description: string
  plugin_id: string | null
  /** JSON. */
  inputs: string
  /** JSON. */
  hooks: string
  created_at: number
  updated_at: number
}

/** The value of an input, secret or not. */
export interface RecipeValueTable {
  recipe_id: string
  name: string
  sealed_value: string
}

/** How a recipe stands on a site. */
export interface SiteLicenseTable {
  site_slug: string
  recipe_id: string
  status: Exclude<(typeof LICENSE_STATUSES)[number], 'not-applied'>
  message: string
  applied_at: number | null
  checked_at: number | null
  job_id: string | null
}
