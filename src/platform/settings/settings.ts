import type { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import type { Database, Db } from '#platform/db/database.ts'
import type { SecretBox } from '#platform/secrets/box.ts'
import { fieldsOf, isSecretField, type SettingsSection } from './section.ts'
import { findSection, lockSection, saveSection } from './settings-store.ts'

/** The panel's settings: one typed record, made of the sections that features add. */
export interface Settings {
  readonly sections: readonly SettingsSection[]
  read<S extends z.ZodObject>(section: SettingsSection<S>): Promise<z.output<S>>
  /** Changes some fields of some sections: all of them or, when one is wrong, none. */
  change(changes: Record<string, Record<string, unknown>>): Promise<void>
}

export const settings = (
  database: Database,
  box: SecretBox,
  sections: readonly SettingsSection[],
  now: () => number,
): Settings => {
  const memo = database.memo<unknown>(100)
  const load = async (db: Db, section: SettingsSection) =>
    section.fields.parse(unseal(box, section, await findSection(db, section.id)))
  return {
    sections,
    read: async <S extends z.ZodObject>(section: SettingsSection<S>) => {
      const value = memo.get(section.id) ?? (await load(database.db, section))
      memo.set(section.id, value)
      return value as z.output<S>
    },
    change: async changes => {
      await database.db.transaction().execute(async trx => {
        // In one order, so that two changes of the same sections never wait for each other.
        for (const [id, fields] of Object.entries(changes).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
          const section = findById(sections, id)
          await lockSection(trx, id, now())
          const value = merge(section, await load(trx, section), fields)
          await saveSection(trx, id, seal(box, section, value), now())
        }
      })
      memo.clear()
    },
  }
}

const findById = (sections: readonly SettingsSection[], id: string): SettingsSection => {
  const section = sections.find(candidate => candidate.id === id)
  if (section) return section
  const ids = sections.map(candidate => candidate.id).join(', ')
  throw new Problem('validation_error', `There is no settings section ${id}. Sections: ${ids}.`, [
    { path: id, message: 'unknown section' },
  ])
}

const merge = (section: SettingsSection, before: Record<string, unknown>, fields: Record<string, unknown>) => {
  const value = section.fields.strict().safeParse({ ...before, ...fields })
  if (value.success) return value.data
  const details = value.error.issues.map(issue => ({
    path: [section.id, ...issue.path, ...('keys' in issue ? issue.keys : [])].join('.'),
    message: issue.message,
  }))
  throw new Problem('validation_error', 'Some settings are invalid. Nothing was changed. See `details`.', details)
}

const mapSecrets = (
  section: SettingsSection,
  value: Record<string, unknown>,
  change: (field: string, text: string) => string,
) => {
  const secret = new Set(
    fieldsOf(section)
      .filter(([, schema]) => isSecretField(schema))
      .map(([name]) => name),
  )
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      secret.has(name) && field !== '' ? change(name, String(field)) : field,
    ]),
  )
}

const purpose = (section: SettingsSection, field: string) => `setting:${section.id}.${field}`

const seal = (box: SecretBox, section: SettingsSection, value: Record<string, unknown>) =>
  mapSecrets(section, value, (field, text) => box.seal(purpose(section, field), text))

const unseal = (box: SecretBox, section: SettingsSection, value: Record<string, unknown>) =>
  mapSecrets(section, value, (field, text) => box.open(purpose(section, field), text))
