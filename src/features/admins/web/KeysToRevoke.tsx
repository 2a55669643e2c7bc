import { Checkbox } from '@mantine/core'
import { type Key, useKeys } from '#features/panel/web/index.ts'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { When } from '#web/kit/When.tsx'
import classes from './KeysToRevoke.module.css'

const Use = ({ apiKey: { access, lastUsedAt, lastUsedFrom }, now }: { apiKey: Key; now: number }) => (
  <>
    {LEVEL_NAMES[access]},{' '}
    {lastUsedAt === null ? (
      'never used'
    ) : (
      <>
        last used <When at={lastUsedAt} now={now} /> from {lastUsedFrom}
      </>
    )}
  </>
)

interface KeysToRevokeProps {
  adminId: string
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** The API keys someone created, to choose those that end with their access. */
export const KeysToRevoke = ({ adminId, chosen, onChange }: KeysToRevokeProps) => {
  const { data, dataUpdatedAt } = useKeys()
  const keys = data?.items.filter(({ createdByAdmin }) => createdByAdmin === adminId) ?? []
  if (keys.length === 0) return null
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id])
  return (
    <fieldset className={classes.keys}>
      <legend className={classes.legend}>Revoke the API keys they created</legend>
      <p className={classes.about}>Unchecked keys keep working.</p>
      {keys.map(key => (
        <Checkbox
          key={key.id}
          size="sm"
          label={key.name}
          description={<Use apiKey={key} now={dataUpdatedAt} />}
          checked={chosen.includes(key.id)}
          onChange={() => toggle(key.id)}
        />
      ))}
    </fieldset>
  )
}
