import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

const RENDERER = join(import.meta.dirname, '..')
/** The root asked what it has: each change anywhere would have every style computed again. */
const ROOT_HAS = /(?:^|[\s,}])(?:\*|html|body|:root)[^\s,{>+~]*:has\(/mu

describe('The stylesheets', () => {
  it.each([':root:has(.a) .b', 'html.dark:has(> .a),', '.a, body:has(.b) {'])(
    'would be rejected with %s',
    (rule) => expect(rule).toMatch(ROOT_HAS),
  )

  it('ask the root nothing', () => {
    const files = globSync('**/*.css', { cwd: RENDERER })
    expect(files.length).toBeGreaterThan(10)
    for (const file of files)
      expect(readFileSync(join(RENDERER, file), 'utf8'), file).not.toMatch(ROOT_HAS)
  })
})
