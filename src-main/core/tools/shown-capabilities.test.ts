import { expect, it } from 'vitest'

import { NO_CAPABILITIES } from '../../../src-shared/domain/agents/capability'
import { shownCapabilities } from './shown-capabilities'

it('D6: shown capabilities have only the known fields of a listing', () => {
  const unknown = { _meta: { a: 1 }, 'x-unknown': 1 }
  const tools = [{ name: 'draw', inputSchema: { type: 'object' }, ...unknown }]
  const prompts = [{ name: 'ask', ...unknown }]
  const shown = shownCapabilities({ ...NO_CAPABILITIES, tools, prompts })
  expect(shown.tools).toEqual([{ name: 'draw', inputSchema: { type: 'object' } }])
  expect(shown.prompts).toEqual([{ name: 'ask' }])
})
