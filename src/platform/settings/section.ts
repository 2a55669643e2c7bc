import { z } from 'zod'

/** One part of the panel's settings, owned by one feature. Every field has a default and says what it changes. */
export interface SettingsSection<S extends z.ZodObject = z.ZodObject> {
  id: string
  title: string
  fields: S
}

export const settingsSection = <S extends z.ZodObject>(section: SettingsSection<S>): SettingsSection<S> => section

const ONE_LINE = /^\P{Cc}*$/u
const secrets = z.registry<{ secret: true }>()

/**
 * A field that is stored sealed and never answered; answers only say whether it is set. Empty means not set. Whatever is
 * chained to it makes another schema, which is not secret: say everything here.
 */
export const secretText = (description: string, meta: { title?: string } = {}) => {
  const schema = z
    .string()
    .max(1000)
    .regex(ONE_LINE, 'must be one line')
    .default('')
    .meta({ ...meta, description })
  secrets.add(schema, { secret: true })
  return schema
}

export const isSecretField = (schema: z.ZodType): boolean => secrets.has(schema)

export const fieldsOf = (section: SettingsSection): [string, z.ZodType][] =>
  Object.entries(section.fields.shape) as [string, z.ZodType][]
