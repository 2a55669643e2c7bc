import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { SiteRow } from '#features/sites/index.ts'
import { runCli } from '#features/wordpress/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { Scope } from '#platform/scope.ts'

/**
 * Runs in WordPress with all its plugins. What it is asked comes on stdin, so no value is ever part of a command line;
 * the answer stands between random marks, so what plugins print does not disturb it.
 */
const PROGRAM = `
$asked = json_decode(stream_get_contents(STDIN), true);
$act = [
  'read-option' => static fn ($asked) => ['found' => get_option($asked['option'], null)],
  'set-option' => static function ($asked) {
    $value = get_option($asked['option'], null);
    $at = &$value;
    foreach ($asked['path'] as $key) {
      if (is_object($at)) {
        $at->$key ??= null;
        $at = &$at->$key;
      } else {
        if (!is_array($at)) $at = [];
        $at = &$at[$key];
      }
    }
    $at = $asked['value'];
    unset($at);
    update_option($asked['option'], $value);
    return ['found' => null];
  },
  'rest' => static function ($asked) {
    [$admin] = get_users(['role' => 'administrator', 'number' => 1, 'orderby' => 'ID']) + [null];
    if ($admin) wp_set_current_user($admin->ID);
    $address = wp_parse_url($asked['route']);
    $request = new WP_REST_Request($asked['method'], $address['path'] ?? '/');
    wp_parse_str($address['query'] ?? '', $query);
    $request->set_query_params($query);
    if (array_key_exists('body', $asked)) {
      $request->set_header('content-type', 'application/json');
      $request->set_body(wp_json_encode($asked['body']));
    }
    $response = rest_do_request($request);
    return ['status' => $response->get_status(), 'found' => rest_get_server()->response_to_data($response, false)];
  },
  'constant' => static function ($asked) {
    $file = WP_CLI\\Utils\\locate_wp_config();
    $text = file_get_contents($file);
    $anchors = array_filter(["/* That's all, stop editing!", '$table_prefix'], static fn ($each) => str_contains($text, $each));
    $options = ['raw' => $asked['raw'], 'normalize' => true, 'anchor' => reset($anchors) ?: '<?php'];
    (new WPConfigTransformer($file))->update('constant', $asked['name'], $asked['value'], $options + ['placement' => $anchors ? 'before' : 'after']);
    return ['found' => null];
  },
][$asked['op']];
try {
  $answer = $act($asked);
} catch (Throwable $error) {
  $answer = ['error' => $error->getMessage()];
}
echo $asked['mark'], wp_json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), $asked['mark'];
`

const Answer = z.union([
  z.object({ error: z.string() }),
  z.object({ status: z.number().optional(), found: z.unknown() }),
])

export interface Question {
  readonly op: 'read-option' | 'set-option' | 'rest' | 'constant'
  readonly [field: string]: unknown
}

/** Whatever comes back was said by the site. */
export const askWordpress = async (
  work: Pick<Scope, 'hosts'>,
  site: SiteRow,
  question: Question,
): Promise<{ status?: number | undefined; found: unknown }> => {
  const mark = randomBytes(16).toString('hex')
  const { stdout, stderr } = await runCli(work, site, ['eval', PROGRAM], JSON.stringify({ ...question, mark }))
  const answer = Answer.safeParse(jsonIn(stdout.split(mark)[1]))
  if (!answer.success) throw new CodedError('no_answer', 'WordPress did not answer.', { output: stderr || stdout })
  if ('error' in answer.data) throw new CodedError('refused', 'WordPress refused it.', { output: answer.data.error })
  return answer.data
}

export const jsonIn = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
