/** Search on the reference page. A file of its own, because the policy of every page refuses inline scripts. */
export const REFERENCE_SCRIPT = `
const form = document.querySelector('search')
const input = form.querySelector('input')
const count = form.querySelector('output')
const groups = [...document.querySelectorAll('section[data-group]')].map(group => ({
  group,
  endpoints: [...group.querySelectorAll('details')].map(element => ({
    element,
    text: (group.dataset.group + ' ' + element.dataset.words).toLowerCase(),
  })),
}))

const find = () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter(word => word !== '')
  let found = 0
  for (const { group, endpoints } of groups) {
    let shown = 0
    for (const { element, text } of endpoints) {
      element.hidden = !words.every(word => text.includes(word))
      if (!element.hidden) shown += 1
    }
    group.hidden = shown === 0
    found += shown
  }
  count.textContent = words.length === 0 ? '' : found === 0 ? 'No matching endpoints' : found + (found === 1 ? ' endpoint' : ' endpoints')
}

const openNamed = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!named || named.tagName !== 'DETAILS') return
  named.open = true
  named.scrollIntoView()
}

input.addEventListener('input', find)
addEventListener('hashchange', openNamed)
addEventListener('keydown', event => {
  if (event.key !== '/' || event.target === input) return
  event.preventDefault()
  input.focus()
})
form.hidden = false
find()
openNamed()
`
