import { Button, TextInput } from '@mantine/core'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Status } from '#web/kit/Status.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { useForm } from '#web/kit/use-form.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { blocks } from '../contract.ts'
import classes from './Blocks.module.css'
import { useCheck } from './use-blocks.ts'
import { VERDICT_WORDS } from './words.ts'

const Answer = ({ address }: { address: string }) => {
  const query = useCheck(address)
  const timeZone = useTimeZone()
  return (
    <div className={classes.answer} aria-live="polite">
      <Loaded query={query} skeleton={null}>
        {({ verdict, message, expiresAt, blocks: found }) => (
          <>
            <Status {...VERDICT_WORDS[verdict]} />
            <p>
              {message}{' '}
              {found.length > 0 &&
                (expiresAt === null ? 'Until it is lifted.' : <>Until {minuteTime(expiresAt, timeZone)}.</>)}
            </p>
          </>
        )}
      </Loaded>
    </div>
  )
}

/** Says of any address whether it is blocked, and why. */
export const CheckBox = () => {
  const url = useUrlState()
  const asked = url.of('check')
  const form = useForm({ address: asked }, async ({ address }) => {
    checked(blocks.securityCheck.query, { address: address.trim() })
    url.set({ check: address.trim() })
  })
  return (
    <Card>
      <form className={classes.check} {...form.formProps}>
        <TextInput
          className={classes.address ?? ''}
          label="Is this address blocked?"
          placeholder="203.0.113.7 or 2001:db8::7"
          autoComplete="off"
          spellCheck={false}
          {...form.text('address')}
        />
        <Button type="submit" variant="default" loading={form.isPending}>
          Check
        </Button>
        <FormError key={form.failures} problem={form.problem} fields={['address']} />
      </form>
      {asked !== '' && <Answer address={asked} />}
    </Card>
  )
}
