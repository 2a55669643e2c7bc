import { z } from 'zod'
import type { Scope } from '#platform/scope.ts'
import { fieldsOf, isSecretField, type SettingsSection } from '#platform/settings/section.ts'
import type { SettingsAnswer } from './contract.ts'

/** Every section with its values, defaults and descriptions; of secrets only whether they are set. */
export const showSettings = async (scope: Scope): Promise<z.input<typeof SettingsAnswer>> => {
  const values: Record<string, Record<string, unknown>> = {}
  const secretsSet: string[] = []
  for (const section of scope.settings.sections) {
    const all: Record<string, unknown> = await scope.settings.read(section)
    const secret = new Set(
      fieldsOf(section)
        .filter(([, schema]) => isSecretField(schema))
        .map(([name]) => name),
    )
    values[section.id] = Object.fromEntries(Object.entries(all).filter(([name]) => !secret.has(name)))
    secretsSet.push(...[...secret].filter(name => all[name] !== '').map(name => `${section.id}.${name}`))
  }
  return { values, secretsSet, sections: scope.settings.sections.map(describeSection) }
}

const describeSection = (section: SettingsSection) => {
  const defaults: Record<string, unknown> = section.fields.parse({})
  const fields = fieldsOf(section).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    default: isSecretField(schema) ? null : defaults[name],
    secret: isSecretField(schema),
    schema: z.toJSONSchema(schema, { io: 'input' }),
  }))
  return { id: section.id, title: section.title, fields }
}
