export const REFERENCE_CSS = `
:root { color-scheme: light dark; --line: light-dark(#dfe3e8, #333a44); --soft: light-dark(#f5f7f9, #1b2027); --text: light-dark(#1c2430, #e3e8ef); --page: light-dark(#fff, #12161b); --quiet: light-dark(#5a6675, #9aa7b6) }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; color: var(--text); background: var(--page) }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 small { font-weight: 400; color: var(--quiet); font-size: .6em }
h2 { margin-top: 2.5rem }
a { color: light-dark(#1668c4, #6cb2ff) }
code { font: 13px ui-monospace, monospace }
details { border: 1px solid var(--line); border-radius: 8px; margin: .4rem 0; padding: 0 .9rem }
details[open] { background: var(--soft); padding-bottom: .9rem }
summary { padding: .55rem 0; cursor: pointer; list-style: none; display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: baseline }
.what { color: var(--quiet); flex: 1 1 14rem }
.method { font: 700 12px ui-monospace, monospace; min-width: 4rem }
.badge { font-size: 12px; border: 1px solid var(--line); border-radius: 99px; padding: 0 .55rem; color: var(--quiet); white-space: nowrap }
.badge.full, .badge.danger { color: light-dark(#a8201a, #ff9d97) }
.badge.manage { color: light-dark(#8a5a00, #f2c66d) }
.badge.read-only, .badge.none { color: light-dark(#17683a, #7fd6a4) }
table { border-collapse: collapse; width: 100% }
td { border-top: 1px solid var(--line); padding: .35rem .6rem .35rem 0; vertical-align: top; overflow-wrap: anywhere }
nav { margin-bottom: 1rem }
search { position: sticky; top: 0; display: flex; gap: .75rem; align-items: center; padding: .75rem 0; background: var(--page) }
search[hidden] { display: none }
input { flex: 1; max-width: 24rem; padding: .45rem .7rem; font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: 8px }
output { color: var(--quiet) }
details { scroll-margin-top: 4.5rem }
pre { margin: 0; padding: .7rem .9rem; max-height: 24rem; overflow: auto; font: 13px/1.5 ui-monospace, monospace; background: var(--page); border: 1px solid var(--line); border-radius: 8px }
h4 { margin: .9rem 0 .2rem }
@media (max-width: 600px) { td { display: block; border: 0; padding: 0 } tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0 } }
`
