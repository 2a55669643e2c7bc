import { Checkbox, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { PHP_VERSIONS, type Site } from '#features/sites/contract.ts'
import { useCan, type Verdict } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ActRow } from '#web/kit/ActRow.tsx'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Section } from '#web/kit/Section.tsx'
import { api } from './api.ts'
import { siteActions } from './can.ts'
import { DiskLimits } from './DiskLimits.tsx'
import { MoveRow } from './MoveRow.tsx'
import { SiteDetails } from './SiteDetails.tsx'

interface RowProps {
  site: Site
  verdict: Verdict
}

const PhpRow = ({ site, verdict }: RowProps) => {
  const follow = useFollowJob()
  const [version, setVersion] = useState(site.phpVersion)
  return (
    <ActRow
      title="PHP version"
      about={`Currently PHP ${site.phpVersion}. Make sure its plugins and themes support the new version.`}
    >
      <NativeSelect
        size="xs"
        aria-label="PHP version"
        value={version}
        onChange={event => setVersion(event.currentTarget.value as Site['phpVersion'])}
        data={PHP_VERSIONS.toReversed().map(value => ({ value, label: `PHP ${value}` }))}
      />
      <ConfirmButton
        label="Change"
        ask="php"
        disabled={version === site.phpVersion}
        refusal={verdict.reason}
        title={`Run ${site.title} on PHP ${version}?`}
        verb={`Change to PHP ${version}`}
        effects={[
          `The container is recreated with PHP ${version}. The site is briefly offline.`,
          'Files and database are not changed.',
          `If the site doesn't respond afterwards, it is rolled back to PHP ${site.phpVersion}.`,
        ]}
        act={() => follow(api.sitePhp({ params: { slug: site.slug }, body: { version } }), { show: true })}
      />
    </ActRow>
  )
}

const ReconcileRow = ({ site: { slug, title }, verdict }: RowProps) => {
  const follow = useFollowJob()
  return (
    <ActRow
      title="Reconcile"
      about="Compares the container and routing with the current policy, and fixes differences."
    >
      <ConfirmButton
        label="Reconcile"
        ask="reconcile"
        refusal={verdict.reason}
        title={`Reconcile ${title}?`}
        verb="Reconcile site"
        effects={[
          'If something differs, the container is recreated and the site is briefly offline.',
          'If nothing differs, nothing is changed.',
          'Files and database are not changed.',
        ]}
        act={() => follow(api.siteReconcile({ params: { slug } }), { show: true })}
      />
    </ActRow>
  )
}

const DeleteRow = ({ site: { slug, title, hostnames, status }, verdict }: RowProps) => {
  const follow = useFollowJob()
  const navigate = useNavigate()
  const canBackUp = status === 'running' || status === 'stopped'
  const [isWanted, setWanted] = useState(true)
  const [dropsRecords, setDropsRecords] = useState(false)
  const erase = async () => {
    const finalBackup = canBackUp && isWanted ? 'true' : 'false'
    const query = { finalBackup, removeRecords: dropsRecords ? 'true' : 'false' } as const
    await follow(api.siteDelete({ params: { slug }, query }))
    await navigate('/sites')
  }
  return (
    <ActRow title="Delete site" about="Permanently deletes its files, database, container, certificate and domains.">
      <ConfirmButton
        label="Delete"
        ask="delete"
        color="red"
        variant="light"
        refusal={verdict.reason}
        title={`Delete ${title}?`}
        verb="Delete site"
        name={slug}
        effects={[
          `${hostnames.join(', ')} will stop responding.`,
          'All files are deleted, including uploads.',
          'The database is deleted, with every page, user and order.',
          'Its backups stay on the server until they are too old or you delete them.',
        ]}
        act={erase}
      >
        {canBackUp && (
          <Checkbox
            label="Create a final backup first"
            checked={isWanted}
            onChange={event => setWanted(event.currentTarget.checked)}
          />
        )}
        <Checkbox
          label="Remove the DNS records that the panel created for it"
          checked={dropsRecords}
          onChange={event => setDropsRecords(event.currentTarget.checked)}
        />
      </ConfirmButton>
    </ActRow>
  )
}

/** What can be changed about a site, the dangerous last. */
export const SiteSettings = ({ site }: { site: Site }) => {
  const can = useCan(siteActions)
  const php = can('sitePhp', site)
  const reconcile = can('siteReconcile', site)
  const move = can('siteMove', site)
  const erase = can('siteDelete', site)
  return (
    <>
      <SiteDetails site={site} />
      <DiskLimits site={site} />
      <Section title="Runtime">
        <Card flush>
          <PhpRow key={site.phpVersion} site={site} verdict={php} />
          <ReconcileRow site={site} verdict={reconcile} />
        </Card>
      </Section>
      {(move.isOffered || erase.isOffered) && (
        <Section title="Move or delete">
          <Card flush>
            {move.isOffered && <MoveRow key={site.serverId} site={site} />}
            {erase.isOffered && <DeleteRow site={site} verdict={erase} />}
          </Card>
        </Section>
      )}
    </>
  )
}
