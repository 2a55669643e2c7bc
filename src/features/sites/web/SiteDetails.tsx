import { Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Site, sites } from '#features/sites/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked, faultsOf, sentence } from '#web/kit/field-errors.ts'
import { SaveBar } from '#web/kit/SaveBar.tsx'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { namesIn } from './new-site.ts'
import classes from './SiteDetails.module.css'
import { siteOptions } from './use-sites.ts'

const detailsOf = ({ title, labels, notes }: Site) => ({ title, labels: labels.join(', '), notes })

const DetailsForm = ({ site }: { site: Site }) => {
  const queryClient = useQueryClient()
  const form = useForm(detailsOf(site), async ({ title, labels, notes }) => {
    const body = checked(sites.siteUpdate.body, { title: title.trim(), labels: namesIn(labels), notes })
    const saved = await api.siteUpdate({ params: { slug: site.slug }, body })
    queryClient.setQueryData(siteOptions(site.slug).queryKey, saved)
    void queryClient.invalidateQueries({ queryKey: ['sites', 'list'] })
    showToast({ tone: 'good', text: 'Saved.' })
  })
  const wrongLabel = form.problem && faultsOf(form.problem).find(({ path }) => path.startsWith('labels'))
  return (
    <form {...form.formProps}>
      <Card>
        <div className={classes.fields}>
          <TextInput label="Title" {...form.text('title')} />
          <TextInput
            label="Labels"
            description="Separate with commas. Use them to filter lists."
            placeholder="client, shop"
            spellCheck={false}
            {...form.text('labels')}
            error={wrongLabel && sentence(`a label ${wrongLabel.message}`)}
          />
          <Textarea
            label="Notes"
            rows={4}
            placeholder="Client, contacts, anything worth knowing"
            {...form.text('notes')}
          />
          <FormError
            key={form.failures}
            problem={form.problem}
            fields={['title', 'notes', wrongLabel?.path ?? 'labels']}
          />
        </div>
      </Card>
      <SaveBar isDirty={form.isDirty} isPending={form.isPending} onReset={form.reset} />
    </form>
  )
}

/** What the panel calls a site, and what people wrote about it. Begins again once it was saved. */
export const SiteDetails = ({ site }: { site: Site }) => (
  <Section title="Details" about="Only used in this panel. The WordPress title is separate.">
    <DetailsForm key={JSON.stringify(detailsOf(site))} site={site} />
  </Section>
)
