import '@xterm/xterm/css/xterm.css'
import { type ITerminalOptions, Terminal } from '@xterm/xterm'

const plainElement = (tag: string, options?: ElementCreationOptions): HTMLElement =>
  Document.prototype.createElement.call(document, tag, options)

/** Stands for a style element: what is written into it becomes a style sheet made by script. */
const newStyle = (): HTMLElement => {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  const stand = plainElement('span')
  stand.hidden = true
  stand.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== sheet)
    HTMLElement.prototype.remove.call(stand)
  }
  Object.defineProperty(stand, 'textContent', {
    set: (text: string) => {
      sheet.replaceSync(text)
    },
  })
  return stand
}

/** Takes its style as text, too, and sets it another way. */
const newSpan = (): HTMLElement => {
  const span = plainElement('span')
  span.setAttribute = (name, value) => {
    if (name === 'style') span.style.cssText = value
    else Element.prototype.setAttribute.call(span, name, value)
  }
  return span
}

const createElement = (tag: string, options?: ElementCreationOptions): HTMLElement => {
  if (tag === 'style') return newStyle()
  return tag === 'span' ? newSpan() : plainElement(tag, options)
}

let openTerminals = 0

/**
 * A terminal in a box, and how to end it. xterm styles itself with style elements and style attributes, which the page's
 * policy refuses. It cannot be given another way, so as long as it is open the document makes elements that do the same
 * through the style objects of the browser.
 */
export const openTerminal = (box: HTMLElement, options: ITerminalOptions) => {
  Object.defineProperty(document, 'createElement', { value: createElement, configurable: true })
  openTerminals += 1
  const terminal = new Terminal(options)
  terminal.open(box)
  const close = () => {
    terminal.dispose()
    openTerminals -= 1
    if (openTerminals === 0) Reflect.deleteProperty(document, 'createElement')
  }
  return { terminal, close }
}
