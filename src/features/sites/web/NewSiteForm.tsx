import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { z } from 'zod'
import type { ProtectionLevel, sites } from '#features/sites/contract.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Card } from '#web/kit/Card.tsx'
import { counted } from '#web/kit/counted.ts'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { LeaveGuard } from '#web/kit/LeaveGuard.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { DnsCheck } from './DnsCheck.tsx'
import classes from './NewSiteForm.module.css'
import { namesError } from './names-error.ts'
import { bodyOf, languageOf, type NewSite, retitled } from './new-site.ts'

type Options = z.output<(typeof sites)['siteOptions']['reply']>

interface NewSiteFormProps {
  initial: NewSite
  options: Options
  onStarted: (form: NewSite, jobId: string) => void
}

const useNewSite = ({ initial, onStarted }: NewSiteFormProps) => {
  const follow = useFollowJob()
  return useForm<NewSite>(initial, async form => {
    const { job } = await follow(api.siteCreate({ body: bodyOf(form) }))
    onStarted(form, job.id)
  })
}

type Form = ReturnType<typeof useNewSite>

const Address = ({ form, options }: { form: Form; options: Options }) => {
  const { serverId, domainMode } = form.values
  const server = options.servers.find(({ id }) => String(id) === serverId)
  const isLive = domainMode === 'live'
  return (
    <Section title="Location">
      <Card>
        <FieldGrid>
          <NativeSelect
            label="Server"
            {...form.text('serverId')}
            data={options.servers.map(({ id, name, ready, sites: count }) => ({
              value: String(id),
              label: ready ? `${name} (${counted(count, 'site')})` : `${name} (not set up)`,
              disabled: !ready,
            }))}
          />
          <NativeSelect
            label="Address"
            {...form.text('domainMode')}
            data={[
              { value: 'dev', label: 'A dev domain for now' },
              { value: 'live', label: 'My own domain' },
            ]}
          />
          {isLive ? (
            <Textarea
              className={classes.whole ?? ''}
              label="Domains, primary first"
              description="One per line. DNS can also be set later: the site goes live once it points here."
              placeholder={'www.example.com\nexample.com'}
              minRows={2}
              rows={3}
              spellCheck={false}
              {...form.text('domains')}
              error={namesError(form.problem)}
            />
          ) : null}
          {isLive ? (
            <div className={classes.whole}>
              <DnsCheck serverId={Number(serverId)} domains={form.values.domains} />
            </div>
          ) : (
            <p className={`${classes.whole} ${classes.hint}`}>
              It will be available at {form.values.slug || 'name'}.{server?.devDomain}. You can go live on your own
              domain later.
            </p>
          )}
        </FieldGrid>
      </Card>
    </Section>
  )
}

/** The page of a site explains what each level refuses. */
const PROTECTION = [
  { value: '', label: 'Fleet default' },
  { value: 'strict', label: 'Strict' },
  { value: 'standard', label: 'Standard' },
  { value: 'off', label: 'Off' },
] as const satisfies readonly { value: ProtectionLevel | ''; label: string }[]

const WordPress = ({ form, options }: { form: Form; options: Options }) => (
  <Section title="WordPress">
    <Card>
      <FieldGrid>
        <TextInput label="Admin username" autoComplete="off" {...form.text('adminUser')} />
        <TextInput label="Admin email" type="email" {...form.text('adminEmail')} />
        <NativeSelect
          label="PHP version"
          {...form.text('phpVersion')}
          data={options.phpVersions.toReversed().map(({ version, default: isDefault }) => ({
            value: version,
            label: isDefault ? `${version} (recommended)` : version,
          }))}
        />
        {options.locales.length > 1 && (
          <NativeSelect
            label="Language"
            {...form.text('locale')}
            data={options.locales.map(value => ({ value, label: languageOf(value) }))}
          />
        )}
        <NativeSelect label="Protection" {...form.text('protection')} data={[...PROTECTION]} />
      </FieldGrid>
    </Card>
  </Section>
)

/** What it gets from the catalog; recipes of these plugins are applied with them. */
const Plugins = ({ form, options }: { form: Form; options: Options }) => {
  const { pluginIds } = form.values
  const toggle = (id: string) =>
    form.set({ pluginIds: pluginIds.includes(id) ? pluginIds.filter(each => each !== id) : [...pluginIds, id] })
  return (
    <Section title="Plugins" about="From the catalog. Their recipes are applied, too.">
      <Card>
        <FieldGrid>
          {options.plugins.map(({ id, name }) => (
            <Checkbox key={id} label={name} checked={pluginIds.includes(id)} onChange={() => toggle(id)} />
          ))}
        </FieldGrid>
      </Card>
    </Section>
  )
}

const FIELDS = ['title', 'slug', 'serverId', 'domains', 'adminUser', 'adminEmail', 'phpVersion', 'locale', 'protection']

/** All that a new site needs, most of it filled in already. */
export const NewSiteForm = (props: NewSiteFormProps) => {
  const form = useNewSite(props)
  const first = useFirstFocus()
  const { options } = props
  return (
    <form className={classes.form} {...form.formProps}>
      <LeaveGuard isDirty={form.isDirty && !form.isPending} />
      <Card>
        <FieldGrid>
          <TextInput
            ref={first}
            label="Title"
            placeholder="Bakery Sunrise"
            {...form.text('title')}
            onChange={event => form.set(retitled(form.values, event.currentTarget.value))}
          />
          <TextInput
            label="Short name"
            description="Used for its address and folders. It can't be changed later."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            spellCheck={false}
            placeholder="bakery-sunrise"
            {...form.text('slug')}
          />
        </FieldGrid>
      </Card>
      <Address form={form} options={options} />
      <WordPress form={form} options={options} />
      {options.plugins.length > 0 && <Plugins form={form} options={options} />}
      <FormError key={form.failures} problem={form.problem} fields={[...FIELDS, 'domains.0', 'domains.1']} />
      <div className={classes.foot}>
        <Button type="submit" loading={form.isPending}>
          Create site
        </Button>
        <span className={classes.hint}>Takes less than a minute. You get the password at the end.</span>
      </div>
    </form>
  )
}
