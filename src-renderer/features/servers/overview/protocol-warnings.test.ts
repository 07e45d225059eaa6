import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import {
  NO_FAULTS,
  type ProtocolWarning,
} from '../../../../src-shared/domain/running/protocol-faults'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { faultText, ProtocolWarnings } from './overview'

function shown(protocolWarnings: readonly ProtocolWarning[]): string {
  const server = { protocolWarnings } as unknown as ServerView
  return renderToStaticMarkup(createElement(ProtocolWarnings, { server }))
}

describe('F1: protocol warnings of a server', () => {
  it('are listed with their counts, newest first', () => {
    const html = shown([
      {
        kind: 'repairs',
        message: 'Repaired in initialize: serverInfo.version is missing.',
        count: 1,
        lastAt: 1,
      },
      {
        kind: 'repairs',
        message: 'Repaired in tools/list: tools[].title is null.',
        count: 3,
        lastAt: 2,
      },
    ])
    expect(html.indexOf('tools[].title')).toBeLessThan(html.indexOf('serverInfo.version'))
    expect(html).toContain('3 times')
    expect(html).toContain('1 time<')
  })

  it('are not rendered if there are none', () => {
    expect(shown([])).toBe('')
  })
})

describe('messages on protocol faults', () => {
  it('name only the faults that occurred, with their counts', () => {
    expect(faultText(NO_FAULTS)).toBe('')
    expect(faultText({ ...NO_FAULTS, noiseLines: 2_500, lateAnswers: 1 })).toBe(
      '2,500 invalid lines, 1 late answer',
    )
  })
})
