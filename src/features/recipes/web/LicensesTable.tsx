import { Group } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { Problem } from '#platform/contract/problem.ts'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import type { Recipe, SiteLicense } from '../contract.ts'
import { api } from './api.ts'
import { recipeActions } from './can.ts'
import { useRecipeSites } from './use-recipes.ts'
import { LICENSE_WORDS } from './words.ts'

const start = ({ siteSlug: slug, recipeId }: SiteLicense, hook: 'afterInstall' | 'verify') =>
  api.wpRecipesApply({ params: { slug }, body: { recipeId, hook } })

const Acts = ({ license, recipe }: { license: SiteLicense; recipe: Recipe }) => {
  const verdict = useCan(recipeActions)('wpRecipesApply', recipe)
  const { siteSlug, status } = license
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {status !== 'not-applied' && (
        <JobButton label="Check" name={`Check ${siteSlug}`} verdict={verdict} start={() => start(license, 'verify')} />
      )}
      <JobButton
        label="Apply"
        name={`Apply to ${siteSlug}`}
        verdict={verdict}
        start={() => start(license, 'afterInstall')}
      />
    </Group>
  )
}

const columnsFor = (recipe: Recipe, now: number): readonly Column<SiteLicense>[] => [
  {
    id: 'site',
    title: 'Site',
    sort: ({ siteSlug }) => siteSlug,
    cell: ({ siteSlug, installed, message }) => (
      <>
        {siteSlug}
        <CellNote>{message ?? (installed ? 'Has the plugin' : 'Plugin not installed')}</CellNote>
      </>
    ),
  },
  {
    id: 'status',
    title: 'License',
    width: '9rem',
    sort: ({ status }) => status,
    cell: ({ status }) => <Status {...LICENSE_WORDS[status]} />,
  },
  {
    id: 'checked',
    title: 'Checked',
    width: '9rem',
    wide: true,
    cell: ({ checkedAt }) => (checkedAt === null ? '–' : <When at={checkedAt} now={now} />),
  },
  {
    id: 'acts',
    title: 'Actions',
    width: '12rem',
    wide: true,
    align: 'end',
    cell: license => <Acts license={license} recipe={recipe} />,
  },
]

/** Every site that has the plugin and lacks the recipe. */
const ApplyToAll = ({ recipe, lacking }: { recipe: Recipe; lacking: readonly SiteLicense[] }) => {
  const { isOffered, reason } = useCan(recipeActions)('wpRecipesApply', recipe)
  const follow = useFollowJob()
  if (!isOffered || lacking.length === 0) return null
  const sites = counted(lacking.length, 'site')
  return (
    <ConfirmButton
      label={`Apply to ${sites}`}
      ask="apply-to-all"
      refusal={reason}
      title={`Apply ${recipe.name} to ${sites}?`}
      verb="Apply recipe"
      effects={['These sites have the plugin and no license yet.', 'Each site gets a job of its own.']}
      act={async () => {
        const refused: string[] = []
        for (const license of lacking)
          await follow(start(license, 'afterInstall')).catch((error: unknown) =>
            refused.push(`${license.siteSlug}: ${toProblem(error).message}`),
          )
        if (refused.length > 0) throw new Problem('conflict', `Not started on every site. ${refused.join(' ')}`)
      }}
    />
  )
}

/** How a recipe stands on each site. */
export const LicensesTable = ({ recipe }: { recipe: Recipe }) => {
  const query = useRecipeSites(recipe.id)
  const lacking = (query.data?.items ?? []).filter(({ installed, status }) => installed && status === 'not-applied')
  return (
    <Section title="Sites" actions={<ApplyToAll recipe={recipe} lacking={lacking} />}>
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Licenses"
            rows={items}
            columns={columnsFor(recipe, query.dataUpdatedAt)}
            idOf={({ siteSlug }) => siteSlug}
            empty={
              <Empty icon={IconWorld} title="No site has its plugin">
                Install the plugin on a site from the catalog. The recipe is then applied by itself.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Section>
  )
}
