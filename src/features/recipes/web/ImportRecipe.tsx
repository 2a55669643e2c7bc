import { Button, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Problem } from '#platform/contract/problem.ts'
import { FormDialog } from '#web/kit/FormDialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { recipes } from '../contract.ts'
import { api } from './api.ts'

const ASK = 'import'

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('validation_error', 'Check the marked fields.', [{ path: 'text', message: 'This is not JSON' }])
  }
}

const ImportForm = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({ text: '' }, async ({ text }) => {
    const body = checked(recipes.recipeImport.body, jsonOf(text) as never)
    const { id, name, pluginId } = await api.recipeImport({ body })
    await queryClient.invalidateQueries({ queryKey: ['recipes'] })
    showToast(
      body.plugin !== null && pluginId === null
        ? {
            tone: 'bad',
            text: `${name} imported, but ${body.plugin} is not in the catalog. Add it, then edit the recipe.`,
          }
        : { tone: 'good', text: `${name} imported.` },
    )
    await navigate(`/catalog/recipes/${id}`)
  })
  return (
    <FormDialog
      title="Import a recipe"
      verb="Import"
      isPending={form.isPending}
      formProps={form.formProps}
      onClose={onClose}
    >
      <Textarea
        label="Exported recipe"
        description="The JSON of a recipe that was exported from a panel. It has no values: enter yours after the import."
        rows={10}
        spellCheck={false}
        {...form.text('text')}
      />
      <FormError key={form.failures} problem={form.problem} fields={['text']} />
    </FormDialog>
  )
}

/** Takes a recipe from another panel. */
export const ImportRecipe = () => {
  const url = useUrlState()
  return (
    <>
      <Button variant="default" size="sm" onClick={() => url.push({ ask: ASK })}>
        Import
      </Button>
      {url.of('ask') === ASK && <ImportForm onClose={() => url.set({ ask: '' })} />}
    </>
  )
}
