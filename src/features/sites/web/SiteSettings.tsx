import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { PHP_VERSIONS, type Site } from '#features/sites/contract.ts'
import { api } from '#web/api.ts'
import { useMay } from '#web/session.ts'
import { ActRow } from '#web/ui/ActRow.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useFollowJob } from '#web/ui/use-follow-job.ts'
import { MoveRow } from './MoveRow.tsx'
import { SiteDetails } from './SiteDetails.tsx'

interface RowProps {
  site: Site
  isBusy: boolean
}

const PhpRow = ({ site, isBusy }: RowProps) => {
  const follow = useFollowJob()
  const [version, setVersion] = useState(site.phpVersion)
  return (
    <ActRow
      title="PHP version"
      about={`It runs on PHP ${site.phpVersion}. Plugins and themes must be able to run on the new one.`}
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
        disabled={isBusy || version === site.phpVersion}
        title={`Run ${site.title} on PHP ${version}?`}
        verb={`Change to PHP ${version}`}
        effects={[
          `Its container is made anew on PHP ${version}; the site is away for a few seconds.`,
          'Files and database stay as they are.',
          `If it does not answer afterwards, it goes back to PHP ${site.phpVersion} by itself.`,
        ]}
        act={() => follow(api.sitePhp({ params: { slug: site.slug }, body: { version } }), { show: true })}
      />
    </ActRow>
  )
}

const ReconcileRow = ({ site: { slug, title }, isBusy }: RowProps) => {
  const follow = useFollowJob()
  return (
    <ActRow
      title="Reconcile"
      about="Compares the container and what visitors reach with the present policy, and mends what differs."
    >
      <ConfirmButton
        label="Reconcile"
        ask="reconcile"
        disabled={isBusy}
        title={`Reconcile ${title}?`}
        verb="Reconcile the site"
        effects={[
          'If something differs, the container is made anew and the site is away for a few seconds.',
          'If all is as it should be, nothing happens.',
          'Files and database stay as they are.',
        ]}
        act={() => follow(api.siteReconcile({ params: { slug } }), { show: true })}
      />
    </ActRow>
  )
}

const DeleteRow = ({ site: { slug, title, hostnames }, isBusy }: RowProps) => {
  const follow = useFollowJob()
  const navigate = useNavigate()
  const erase = async () => {
    await follow(api.siteDelete({ params: { slug } }))
    await navigate('/sites')
  }
  return (
    <ActRow title="Delete the site" about="Removes its files, database, container, certificate and names for good.">
      <ConfirmButton
        label="Delete…"
        ask="delete"
        color="red"
        variant="light"
        disabled={isBusy}
        title={`Delete ${title}?`}
        verb="Delete the site"
        name={slug}
        effects={[
          `${hostnames.join(', ')} no longer answers.`,
          'All files of the site are deleted, uploads included.',
          'Its database with every page, user and order is deleted.',
          'No backup is made. Make one first if you may need anything of it.',
        ]}
        act={erase}
      />
    </ActRow>
  )
}

/** What can be changed about a site, the dangerous last. */
export const SiteSettings = ({ site }: { site: Site }) => {
  const may = useMay()
  if (!may('manage')) return <p>You may look at this site, but not change it.</p>
  const isStuck = site.status === 'deleting' && site.jobId === null
  const isBusy = site.jobId !== null || !(site.status === 'running' || site.status === 'stopped')
  return (
    <>
      <SiteDetails site={site} />
      <Section title="How it runs">
        <Card flush>
          <PhpRow key={site.phpVersion} site={site} isBusy={isBusy} />
          <ReconcileRow site={site} isBusy={isBusy} />
        </Card>
      </Section>
      {may('full') && (
        <Section title="Move or delete">
          <Card flush>
            <MoveRow key={site.serverId} site={site} isBusy={isBusy} />
            <DeleteRow site={site} isBusy={isBusy && !isStuck} />
          </Card>
        </Section>
      )}
    </>
  )
}
