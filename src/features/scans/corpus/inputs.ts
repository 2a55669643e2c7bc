/** Ways in which PHP gets what a visitor sends. Samples are made with each. */
export const INPUTS: readonly string[] = [
  `$_POST['x']`,
  `$_GET["cmd"]`,
  `$_REQUEST[0]`,
  `@$_COOKIE['session']`,
  `$_SERVER['HTTP_X_TOKEN']`,
  `\${'_PO'.'ST'}['k']`,
  `(isset($_POST['a']) ? $_POST['a'] : '')`,
  `stripslashes($_REQUEST['q'])`,
  `base64_decode($_COOKIE['d'])`,
  `file_get_contents('php://input')`,
]

/** Ways from there to where it is used: `use` gets an expression. */
export const ROUTES: readonly ((input: string, use: (value: string) => string) => string)[] = [
  (input, use) => use(input),
  (input, use) => `$a = ${input};\n/* nothing */ $b = $a;\n${use('$b')}`,
  (input, use) => `function f1($v) {\n  ${use('$v')}\n}\nf1(${input});`,
  (input, use) => `foreach (array(${input}) as $one) { ${use('$one')} }`,
]

/** Every input, each along one of the routes. */
export const along = (use: (value: string) => string): string[] =>
  INPUTS.map((input, index) => `<?php\n${ROUTES[index % ROUTES.length]?.(input, use)}\n`)
