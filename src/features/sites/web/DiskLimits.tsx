import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Site, sites } from '#features/sites/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { SaveBar } from '#web/kit/SaveBar.tsx'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { diskText, fileCountText } from './disk-text.ts'
import classes from './SiteDetails.module.css'
import { siteOptions } from './use-sites.ts'

const textOf = (limit: number | null): string => (limit === null ? '' : String(limit))
/** Empty is the default; what is not a number is refused by the contract. */
const limitIn = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const limitsOf = ({ disk }: Site) => ({
  diskLimitMiB: textOf(disk.ownLimitMiB),
  diskLimitFiles: textOf(disk.ownLimitFiles),
})

const LimitsForm = ({ site }: { site: Site }) => {
  const queryClient = useQueryClient()
  const form = useForm(limitsOf(site), async values => {
    const body = checked(sites.siteUpdate.body, {
      diskLimitMiB: limitIn(values.diskLimitMiB),
      diskLimitFiles: limitIn(values.diskLimitFiles),
    })
    const saved = await api.siteUpdate({ params: { slug: site.slug }, body })
    queryClient.setQueryData(siteOptions(site.slug).queryKey, saved)
    showToast({ tone: 'good', text: 'Saved.' })
  })
  return (
    <form {...form.formProps}>
      <Card>
        <div className={classes.fields}>
          <TextInput
            label="Disk space in MiB"
            description={`It uses ${diskText(site.disk) ?? 'an amount that is not measured yet'}. Empty for the default, 0 for no limit.`}
            inputMode="numeric"
            {...form.text('diskLimitMiB')}
          />
          <TextInput
            label="Files and folders"
            description={`It has ${fileCountText(site.disk) ?? 'a number that is not counted yet'}. Empty for the default, 0 for no limit.`}
            inputMode="numeric"
            {...form.text('diskLimitFiles')}
          />
          <FormError key={form.failures} problem={form.problem} fields={['diskLimitMiB', 'diskLimitFiles']} />
        </div>
      </Card>
      <SaveBar isDirty={form.isDirty} isPending={form.isPending} onReset={form.reset} />
    </form>
  )
}

/** What a site may use of its server's disk. Begins again once it was saved. */
export const DiskLimits = ({ site }: { site: Site }) => (
  <Section title="Disk limits" about="A site that uses more is stopped, so that other sites keep their room.">
    <LimitsForm key={JSON.stringify(limitsOf(site))} site={site} />
  </Section>
)
