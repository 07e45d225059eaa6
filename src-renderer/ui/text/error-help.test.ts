import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { errorHelp } from '../overlays/error-help'

const PAGE = [
  '# Errors\n\nHow to read this.\n',
  '## `ONE`\n\nOne `<b>` happened.\n\n- Do: open **Configure**.\n',
  '## `ONE_MORE`\n\nAnother.\n',
].join('\n')

describe('E15: the help on an error', () => {
  it('is read as text, code and strong text, without HTML', () => {
    expect(errorHelp(PAGE, 'ONE')).toEqual([
      {
        isItem: false,
        pieces: [
          { kind: 'text', text: 'One ' },
          { kind: 'code', text: '<b>' },
          { kind: 'text', text: ' happened.' },
        ],
      },
      {
        isItem: true,
        pieces: [
          { kind: 'text', text: 'Do: open ' },
          { kind: 'strong', text: 'Configure' },
          { kind: 'text', text: '.' },
        ],
      },
    ])
  })

  it('is empty for an unknown code', () => {
    expect(errorHelp(PAGE, 'TWO')).toEqual([])
  })

  it('is in the bundled page', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8')
    expect(errorHelp(page, 'REMOTE_UNREACHABLE').length).toBeGreaterThan(1)
  })
})
