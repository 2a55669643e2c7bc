import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { nearestLine } from './nearest-line.ts'

/** Why a file was refused. */
export interface Mistake {
  readonly line: number
  readonly message: string
}

class Explanation extends WidgetType {
  readonly message: string

  constructor(message: string) {
    super()
    this.message = message
  }

  override eq(other: Explanation): boolean {
    return other.message === this.message
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('div')
    element.className = 'cm-explanation'
    element.textContent = this.message
    return element
  }
}

const markedIn = (state: EditorState, { line, message }: Mistake): DecorationSet => {
  const { from, to } = nearestLine(state.doc, line)
  return Decoration.set([
    Decoration.line({ class: 'cm-mistake' }).range(from),
    Decoration.widget({ widget: new Explanation(message), block: true, side: 1 }).range(to),
  ])
}

const setMistake = StateEffect.define<Mistake | undefined>()

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { state, changes, effects }) => {
    const effect = effects.findLast(one => one.is(setMistake))
    if (!effect) return before.map(changes)
    return effect.value === undefined ? Decoration.none : markedIn(state, effect.value)
  },
  provide: field => EditorView.decorations.from(field),
})

/** Shows a mistake below its line. It moves with the line until the next save. */
export const mistakes: Extension = [
  marks,
  EditorView.contentAttributes.compute([marks], state => ({ 'aria-invalid': String(state.field(marks).size > 0) })),
]

/** Selects the line of a mistake and says below it what is wrong. */
export const showMistake = (view: EditorView, mistake: Mistake | undefined): void => {
  const effects = setMistake.of(mistake)
  if (mistake === undefined) {
    view.dispatch({ effects })
    return
  }
  const { from, to } = nearestLine(view.state.doc, mistake.line)
  const scroll = EditorView.scrollIntoView(from, { y: 'center' })
  view.dispatch({ effects: [effects, scroll], selection: { anchor: from, head: to } })
  view.focus()
}

/** Begins again with another text, of which no mistake is known. */
export const replaceText = (view: EditorView, text: string): void => {
  const { doc } = view.state
  if (doc.toString() === text) return
  view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, effects: setMistake.of(undefined) })
}
