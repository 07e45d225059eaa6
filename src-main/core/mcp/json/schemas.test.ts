import { describe, expect, it } from 'vitest'

import { normalizeParams, normalizeResult } from './schemas'

const TOOL = { name: 'a', inputSchema: { type: 'object' } }

describe('F1 reading the result of a list', () => {
  it('drops null members of every known type and counts them by path', () => {
    const { value, repairs } = normalizeResult('tools/list', {
      nextCursor: null,
      tools: [
        { ...TOOL, title: null, annotations: { readOnlyHint: null, title: 'A' }, icons: null },
        { ...TOOL, title: null, outputSchema: null, execution: { taskSupport: null }, _meta: [] },
      ],
    })
    expect(value).toEqual({
      tools: [
        { ...TOOL, annotations: { title: 'A' } },
        { ...TOOL, execution: {} },
      ],
    })
    expect(repairs).toContain('tools[].title is null (2 times)')
    expect(repairs).toContain('nextCursor is null')
    expect(repairs).toContain('tools[]._meta is an empty array')
  })

  it('keeps free JSON and unknown members as they are', () => {
    const result = {
      tools: [
        {
          ...TOOL,
          inputSchema: { type: 'object', properties: { a: { default: null, const: null } } },
          _meta: { any: null },
          color: null,
        },
      ],
    }
    const { value, repairs } = normalizeResult('tools/list', result)
    expect(value).toBe(result)
    expect(repairs).toEqual([])
  })

  it('calls a resource without a name by its address, and drops icons without one', () => {
    const { value } = normalizeResult('resources/list', {
      resources: [{ uri: 'memo://a', icons: [{ src: '' }, { src: 'https://a.test/i.png' }] }],
    })
    expect(value).toEqual({
      resources: [{ uri: 'memo://a', name: 'memo://a', icons: [{ src: 'https://a.test/i.png' }] }],
    })
  })

  it('leaves one element that is no object to the reader of the list', () => {
    const result = { tools: [null, TOOL] }
    expect(normalizeResult('tools/list', result).value).toBe(result)
  })
})

describe('F1 reading the result of a call', () => {
  it('drops null members of the result and its content, and no value of structured content', () => {
    const { value } = normalizeResult('tools/call', {
      _meta: null,
      isError: null,
      structuredContent: { a: null },
      content: [
        { type: 'text', text: 'x', annotations: null, _meta: null },
        { type: 'resource', resource: { uri: 'memo://a', text: 'x', blob: null, mimeType: null } },
      ],
    })
    expect(value).toEqual({
      structuredContent: { a: null },
      content: [
        { type: 'text', text: 'x' },
        { type: 'resource', resource: { uri: 'memo://a', text: 'x' } },
      ],
    })
  })

  it('returns an ordinary result itself', () => {
    const result = { content: [{ type: 'text', text: 'x' }] }
    expect(normalizeResult('tools/call', result)).toEqual({ value: result, repairs: [] })
    expect(normalizeResult('tools/call', result).value).toBe(result)
  })
})

describe('F1 reading the answer to initialize', () => {
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'a', version: '1' },
  }

  it.each([
    [{ capabilities: { tools: [{}], prompts: true, logging: false } }, { tools: {}, prompts: {} }],
    [{ capabilities: { tools: { listChanged: null }, resources: null } }, { tools: {} }],
    [
      { capabilities: { tools: { listChanged: 'yes' }, experimental: [] } },
      { tools: {}, experimental: {} },
    ],
    [{ capabilities: [] }, {}],
    [{ capabilities: null }, {}],
  ])('reads capabilities of %j as they are meant', (odd, capabilities) => {
    const { value, problem, repairs } = normalizeResult('initialize', { ...hello, ...odd })
    expect(value.capabilities).toEqual(capabilities)
    expect([problem, repairs.length > 0]).toEqual([undefined, true])
  })

  it.each([
    [{ name: 'a' }, { name: 'a', version: '' }],
    [
      { name: 'a', version: 2, title: null },
      { name: 'a', version: '2' },
    ],
    [null, { name: '', version: '' }],
  ])('gives server info of %j its defaults', (serverInfo, read) => {
    expect(normalizeResult('initialize', { ...hello, serverInfo }).value.serverInfo).toEqual(read)
  })

  it('names by path what cannot be used', () => {
    const { problem } = normalizeResult('initialize', { ...hello, capabilities: { tools: 'yes' } })
    expect(problem).toBe('capabilities.tools is a string, but an object is expected')
    expect(normalizeResult('initialize', { ...hello, protocolVersion: 3 }).problem).toContain(
      'protocolVersion is a number',
    )
  })

  it('repairs nothing in a valid one', () => {
    expect(normalizeResult('initialize', hello)).toEqual({ value: hello, repairs: [] })
  })
})

describe('F1 reading parameters of a server', () => {
  it.each([null, []])('takes %j for none', (params) => {
    expect(normalizeParams('ping', params)).toMatchObject({ params: {} })
  })

  it('reads a progress token that is a text', () => {
    const params = { progressToken: '12', progress: 1 }
    expect(normalizeParams('notifications/progress', params)).toEqual({
      params: { progressToken: 12, progress: 1 },
      repairs: ['progressToken is a string'],
    })
  })

  it('drops null members of progress and of _meta', () => {
    const params = { progressToken: 1, progress: 2, total: null, message: null, _meta: null }
    expect(normalizeParams('notifications/progress', params).params).toEqual({
      progressToken: 1,
      progress: 2,
    })
  })
})
