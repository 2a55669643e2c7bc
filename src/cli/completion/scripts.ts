import { type Node, shellWord } from './tree.ts'

const keyOf = (path: string[]): string => path.map(word => ` ${word}`).join('')

const alternatives = (texts: string[]): string => texts.map(shellWord).join('|')

/** Walks the words before the cursor down the tree; both shells read this part. */
const walk = (nodes: Node[]): string => {
  const paths = nodes.filter(({ path }) => path.length > 0).map(({ path }) => keyOf(path))
  const takers = nodes.flatMap(({ path, takesWord }) => takesWord.map(flag => `${keyOf(path)} ${flag}`))
  return `    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$where $word" in
      ${alternatives(paths)}) where="$where $word" ;;
    esac
    case "$where $word" in
      ${alternatives(takers)}) skip=1 ;;
    esac`
}

const valueCases = (nodes: Node[], render: (words: string[]) => string): string =>
  nodes
    .flatMap(({ path, values }) =>
      [...values].map(([flag, words]) => `    ${shellWord(`${keyOf(path)} ${flag}`)}) ${render(words)} ;;`),
    )
    .join('\n')

const suggestionCases = (nodes: Node[], render: (node: Node) => string): string =>
  nodes.map(node => `    ${shellWord(keyOf(node.path))}) ${render(node)} ;;`).join('\n')

const lines = (words: string[]): string => shellWord(words.join('\n'))

/** Words are parted by line ends only, because a choice may hold a space. */
export const bashScript = (nodes: Node[]): string => `# Completion of fleetpress for bash.
_fleetpress() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} where='' skip='' word words='' IFS=$'\\n'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${walk(nodes)}
  done
  case "$where $previous" in
${valueCases(nodes, words => `words=${lines(words)}`)}
  esac
  if [ -z "$words" ] && [ -z "$skip" ]; then
    case "$where" in
${suggestionCases(nodes, ({ suggestions }) => `words=${lines(suggestions.map(({ word }) => word))}`)}
    esac
  fi
  COMPREPLY=()
  for word in $words; do
    if [[ $word == "$current"* ]]; then COMPREPLY+=("\${word// /\\\\ }"); fi
  done
}
complete -o default -F _fleetpress fleetpress
`

const described = ({ word, description }: { word: string; description: string }): string =>
  shellWord(`${word.replaceAll(':', '\\:')}:${description}`)

export const zshScript = (nodes: Node[]): string => `#compdef fleetpress
# Completion of fleetpress for zsh.
_fleetpress() {
  local where='' skip='' word previous=\${words[CURRENT-1]}
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
${walk(nodes)}
  done
  case "$where $previous" in
${valueCases(nodes, words => `found=(${words.map(shellWord).join(' ')}); compadd -a found; return`)}
  esac
  if [ -n "$skip" ]; then _files; return; fi
  case "$where" in
${suggestionCases(nodes, ({ suggestions }) => `found=(${suggestions.map(described).join(' ')})`)}
  esac
  _describe fleetpress found || _files
}
if [ "$funcstack[1]" = _fleetpress ]; then
  _fleetpress "$@"
else
  if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
  compdef _fleetpress fleetpress
fi
`
