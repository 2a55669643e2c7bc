/**
 * Reads a configuration the way nginx does, written apart from the writer so that the two can disagree. Gives one entry
 * per directive, in order, `}` included; the dollar sign that the writer keeps in a variable is restored.
 */
export const parseConfig = (text: string): string[][] => {
  const directives: string[][] = []
  let words: string[] = []
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (/\s/.test(character)) at += 1
    else if (character === '#') at = text.indexOf('\n', at)
    else if (';{}'.includes(character)) {
      directives.push([...words, character])
      words = []
      at += 1
    } else {
      const word = '"\''.includes(character) ? quotedWord(text, at) : bareWord(text, at)
      words.push(word.value.replace(/\$(?:fleetpress_dollar\b|\{fleetpress_dollar\})/g, '$$'))
      at = word.end
    }
  }
  return directives
}

const quotedWord = (text: string, start: number) => {
  let end = start + 1
  while (text[end] !== text[start]) end += text[end] === '\\' ? 2 : 1
  const value = text.slice(start + 1, end).replace(/\\(["'\\])/g, '$1')
  if (!/[\s;)]/.test(text.charAt(end + 1))) throw new Error(`nothing may follow a quoted word: ${value}`)
  return { value, end: end + 1 }
}

const bareWord = (text: string, start: number) => {
  const value = /^(?:\$\{|[^\s;{])+/.exec(text.slice(start))?.[0] ?? ''
  return { value, end: start + value.length }
}
