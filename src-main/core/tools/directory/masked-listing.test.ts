import { describe, expect, it } from 'vitest'

import { NO_CAPABILITIES, type Tool } from '../../../../src-shared/domain/agents/capability'
import { createRedactor } from '../../masking/redact'
import { identityOf } from '../../mcp/json/definition-identity'
import type { StoredListing } from './listing-files'
import { maskedListing } from './masked-listing'

const MASK = createRedactor(['hunter2-token', '4711471147'])
const TOOL: Tool = {
  name: 'read',
  title: 'Reads with hunter2-token',
  description: 'Uses hunter2%2Dtoken.',
  inputSchema: {
    properties: { key: { default: 'hunter2-token', examples: [4711471147], enum: [1] } },
  },
}
const PLAIN: Tool = { name: 'plain', inputSchema: { type: 'object' } }
const listing = (
  change: Partial<StoredListing['capabilities']>,
  instructions?: string,
): StoredListing => ({
  capabilities: { ...NO_CAPABILITIES, ...change },
  instructions,
  listedAt: 0,
})

describe("A7: secrets in a server's lists", () => {
  it('are masked in every text, and a notice says where they were', () => {
    const before = listing(
      {
        tools: [TOOL, PLAIN],
        resources: [{ uri: 'memo://a', name: 'memo', description: 'Of hunter2-token' }],
        prompts: [{ name: 'greet', arguments: [{ name: 'who', description: 'hunter2-token' }] }],
      },
      'Call with hunter2-token.',
    )
    const { capabilities, instructions, identities } = maskedListing(before, MASK)
    const text = JSON.stringify([capabilities, instructions])
    for (const secret of ['hunter2', '4711471147']) expect(text).not.toContain(secret)
    expect(capabilities.notices).toEqual([
      'This server puts its own secrets into what it lists: read, memo, greet, its instructions. They are masked here and for agents.',
    ])
    expect(capabilities.tools[1]).toEqual(PLAIN)
    // Approvals stay valid, because they compare the server's original text.
    expect(identities).toEqual([TOOL, PLAIN].map(identityOf))
  })

  it('leave a listing without secrets unchanged, as well as names and addresses, which calls need', () => {
    const plain = listing({ tools: [PLAIN] }, 'Call it.')
    expect(maskedListing(plain, MASK)).toBe(plain)
    const named = listing({
      tools: [{ ...PLAIN, name: 'hunter2-token' }],
      resources: [{ uri: 'memo://hunter2-token', name: 'memo' }],
    })
    const { tools, resources } = maskedListing(named, MASK).capabilities
    expect([tools[0]?.name, resources[0]?.uri]).toEqual(['hunter2-token', 'memo://hunter2-token'])
  })
})
