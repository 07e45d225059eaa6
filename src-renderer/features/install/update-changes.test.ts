import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { UpdateChanges } from './update-changes'

const HIDING = 'a\u202eb'

describe('E9: changes in another version', () => {
  it('escape characters that reverse or hide a version, a label or a name', () => {
    const html = renderToStaticMarkup(
      createElement(UpdateChanges, {
        review: {
          source: 'registry',
          server: { name: 'a/b', description: '', version: HIDING, packages: [], remotes: [] },
          offer: { kind: 'package', index: 0 },
          fromVersion: HIDING,
          ...{ values: {}, secrets: {}, added: [], revision: 'r' },
          dropped: [{ label: HIDING, machineName: HIDING, reason: 'gone' }],
          changes: { command: [], pairs: [] },
        },
        newLabels: [HIDING],
      }),
    )
    expect(html).not.toContain('\u202e')
    expect(html.match(/a&lt;U\+202E&gt;b/gu)).toHaveLength(5)
  })
})
