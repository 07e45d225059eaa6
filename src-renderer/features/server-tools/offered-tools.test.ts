import { describe, expect, it } from 'vitest'

import type { Tool } from '../../../src-shared/domain/agents/capability'
import type { ToolView } from '../../../src-shared/domain/agents/tools'
import { foundOffered, offeredLines, offeredTools } from './offered-tools'

function view(name: string, change: Partial<ToolView> = {}): ToolView {
  return {
    ...{
      installationId: 'notes',
      name,
      exposure: 'exposed',
      hash: name,
      securityWarnings: [],
      uses: 0,
    },
    ...change,
  }
}

const tool = (name: string, description: string): Tool => ({ name, description, inputSchema: {} })

describe('C7 the tools of a server on its page', () => {
  it('stand by the choice that was made last, and what else keeps them away stays', () => {
    const views = [
      view('on'),
      view('off', { exposure: 'off' }),
      view('held', { exposure: 'held' }),
      view('away', { exposure: 'off', reason: 'Its server is switched off.' }),
    ]
    const exposures = (choice: Parameters<typeof offeredTools>[2]): string[] =>
      offeredTools(views, [], choice).map(({ exposure }) => exposure)
    expect(exposures({ kind: 'all' })).toEqual(['exposed', 'exposed', 'held', 'off'])
    expect(exposures({ kind: 'none' })).toEqual(['off', 'off', 'held', 'off'])
    expect(exposures({ kind: 'list', names: ['on'] })).toEqual(['exposed', 'off', 'held', 'off'])
  })

  it('keep their own definition where two have one name', () => {
    const views = [view('same'), view('other'), view('same')]
    const tools = [tool('same', 'One'), tool('same', 'Two')]
    const offered = offeredTools(views, tools, { kind: 'all' })
    expect(offered.map((one) => one.tool?.description)).toEqual(['One', undefined, 'Two'])
    expect(new Set(offered.map(({ key }) => key)).size).toBe(3)
  })

  it('are found by every word of a search, in the whole description', () => {
    const views = [view('read_file'), view('write_file')]
    const tools = [tool('read_file', `${'x'.repeat(400)} Last`), tool('write_file', 'First')]
    const offered = offeredTools(views, tools, { kind: 'all' })
    expect(foundOffered(offered, ' FILE last ').map((one) => one.view.name)).toEqual(['read_file'])
    expect(foundOffered(offered, '')).toHaveLength(2)
  })

  it('stand in groups by what the server says of them, and without heads where all are alike', () => {
    const readOnly = { annotations: { readOnlyHint: true } }
    const lines = (views: readonly ToolView[]): string[] =>
      offeredLines(offeredTools(views, [], { kind: 'all' })).map(({ key }) => key)
    expect(lines([view('a'), view('b')])).toEqual(['0:a', '0:b'])
    expect(lines([view('a'), view('b', readOnly), view('c')])).toEqual([
      'readOnly',
      '0:b',
      'other',
      '0:a',
      '0:c',
    ])
    expect(lines([view('a'), view('b', { ...readOnly, exposure: 'held' })])).toEqual([
      'held',
      '0:b',
      'other',
      '0:a',
    ])
  })
})
