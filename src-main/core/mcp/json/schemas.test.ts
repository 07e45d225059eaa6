import { describe, expect, it } from 'vitest'

import { normalizeParams, normalizeResult } from './schemas'

const TOOL = { name: 'a', inputSchema: { type: 'object' } }
const FREE = { ...TOOL, inputSchema: { default: null }, _meta: { any: null }, color: null }
const ICON = { src: 'https://a.test/i.png' }

describe('F1: reading a result', () => {
  it('removes null members of every known type and counts them by path', () => {
    const { value, repairs } = normalizeResult('tools/list', {
      nextCursor: null,
      tools: [
        { ...TOOL, title: null, annotations: { readOnlyHint: null, title: 'A' }, icons: null },
        { ...TOOL, title: null, outputSchema: null, execution: { taskSupport: null }, _meta: [] },
      ],
    })
    const tools = [
      { ...TOOL, annotations: { title: 'A' } },
      { ...TOOL, execution: {} },
    ]
    expect(value).toEqual({ tools })
    expect(repairs).toContain('tools[].title is null (2 times)')
    expect(repairs).toContain('nextCursor is null')
    expect(repairs).toContain('tools[]._meta is an empty array')
  })

  it.each<[what: string, method: string, result: object]>([
    ['free JSON and unknown members', 'tools/list', { tools: [FREE] }],
    ["an element that isn't an object", 'tools/list', { tools: [null, TOOL] }],
    ['an ordinary result', 'tools/call', { content: [{ type: 'text', text: 'x' }] }],
  ])('keeps %s unchanged', (_what, method, result) => {
    const { value, repairs } = normalizeResult(method, result as Record<string, unknown>)
    expect(value).toBe(result)
    expect(repairs).toEqual([])
  })

  it('removes only an optional member of the wrong type, and counts it', () => {
    const odd = { ...TOOL, title: 5, description: ['d'], annotations: '', icons: {}, _meta: 'm' }
    const { value, repairs } = normalizeResult('tools/list', { tools: [odd] })
    expect(value).toEqual({ tools: [TOOL] })
    const kinds = ['title is a number', 'description is an array', 'annotations is empty']
    const more = ['icons is an object', '_meta is a string']
    expect(repairs).toEqual([...kinds, ...more].map((one) => `tools[].${one}`))
  })

  it('removes a prompt argument without a name, and keeps the prompt', () => {
    const odd = [null, {}, { name: '' }, { name: 'x', required: 'yes' }]
    const prompts = [{ name: 'p', arguments: odd }]
    const { value, repairs } = normalizeResult('prompts/list', { prompts })
    expect(value).toEqual({ prompts: [{ name: 'p', arguments: [{ name: 'x' }] }] })
    expect(repairs).toContain('prompts[].arguments[].name is missing (2 times)')
  })

  it.each([
    [{ tools: null }, 'tools is null'],
    [{ tools: {} }, 'tools is an object'],
    [{}, 'tools is missing'],
  ])('treats the list of %j as empty, and counts that', (result, repair) => {
    const { value, repairs } = normalizeResult('tools/list', result)
    expect([value, repairs]).toEqual([{ tools: [] }, [repair]])
  })

  it('keeps an empty text', () => {
    const contents = [{ uri: 'memo://a', text: '' }]
    const { value, repairs } = normalizeResult('resources/read', { contents })
    expect([value, repairs]).toEqual([{ contents }, []])
  })

  it('names a nameless resource by its address, and removes icons without one', () => {
    const resource = { uri: 'memo://a', icons: [{ src: '' }, ICON] }
    const { value } = normalizeResult('resources/list', { resources: [resource] })
    expect(value).toEqual({ resources: [{ uri: 'memo://a', name: 'memo://a', icons: [ICON] }] })
  })

  it('removes null members of a call and its content, but none of structured content', () => {
    const { value } = normalizeResult('tools/call', {
      ...{ _meta: null, isError: null, structuredContent: { a: null } },
      content: [
        { type: 'text', text: 'x', annotations: null, _meta: null },
        { type: 'resource', resource: { uri: 'memo://a', text: 'x', blob: null, mimeType: null } },
      ],
    })
    const text = { type: 'text', text: 'x' }
    const resource = { type: 'resource', resource: { uri: 'memo://a', text: 'x' } }
    expect(value).toEqual({ structuredContent: { a: null }, content: [text, resource] })
  })
})

describe('F1: reading the response to initialize', () => {
  const serverInfo = { name: 'a', version: '1' }
  const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }

  it.each([
    [{ tools: [{}] }, { tools: {} }, 'capabilities.tools is an array'],
    [{ tools: true, prompts: false }, { tools: {} }, 'capabilities.prompts is false'],
    [{ tools: { listChanged: null } }, { tools: {} }, 'capabilities.tools.listChanged is null'],
    [{ tools: { other: null } }, { tools: {} }, 'capabilities.tools.other is null'],
    [{ tools: { subscribe: 'yes' } }, { tools: {} }, 'capabilities.tools.subscribe is a string'],
    [{ tools: {}, logging: null }, { tools: {} }, 'capabilities.logging is null'],
    [{ tools: 'yes', logging: 0 }, { tools: {} }, 'capabilities.tools is a string'],
    [{ tools: 1, prompts: '' }, { tools: {} }, 'capabilities.prompts is a string'],
    [[], {}, 'capabilities is an empty array'],
    [null, {}, 'capabilities is null'],
    ['none', {}, 'capabilities is a string'],
  ])('normalizes capabilities of %j', (odd, capabilities, repair) => {
    const read = normalizeResult('initialize', { ...hello, capabilities: odd })
    expect([read.value.capabilities, read.problem]).toEqual([capabilities, undefined])
    expect(read.repairs).toContain(repair)
  })

  it.each([
    [{ name: 'a' }, { name: 'a', version: '' }, 'serverInfo.version is missing'],
    [{ name: 'a', version: 2 }, { name: 'a', version: '2' }, 'serverInfo.version is a number'],
    [null, { name: '', version: '' }, 'serverInfo is missing'],
  ])('completes server info of %j with defaults', (odd, read, repair) => {
    const { value, repairs } = normalizeResult('initialize', { ...hello, serverInfo: odd })
    expect(value.serverInfo).toEqual(read)
    expect(repairs).toContain(repair)
  })

  it.each([
    [{ protocolVersion: 3 }, 'protocolVersion is a number, but a string is expected'],
    [{}, undefined],
  ])('names the path of the unusable part of %j', (odd, problem) => {
    const read = normalizeResult('initialize', { ...hello, ...odd })
    expect([read.problem, read.repairs]).toEqual([problem, []])
  })

  it('uses the newest version if none is given, and counts that', () => {
    const { value, repairs } = normalizeResult('initialize', { ...hello, protocolVersion: null })
    expect(value.protocolVersion).toBe('2025-11-25')
    expect(repairs).toContain('protocolVersion is missing')
  })
})

describe('F1: reading parameters of a server', () => {
  const step = { progressToken: 12, progress: 1 }

  it.each<[params: unknown, read: unknown, repairs: string[]]>([
    [undefined, {}, []],
    [null, {}, ['params is null']],
    [[], {}, ['params is an empty array']],
    [[1], undefined, []],
    [{ _meta: 1 }, {}, ['_meta is a number']],
    [{ ...step, progressToken: '12' }, step, ['progressToken is a string']],
    [{ ...step, total: null, _meta: null }, step, ['total is null', '_meta is null']],
  ])('converts %j to %j', (params, read, repairs) => {
    expect(normalizeParams('notifications/progress', params)).toEqual({ params: read, repairs })
  })

  it('treats a null mode of an elicitation as absent', () => {
    const { params, repairs } = normalizeParams('elicitation/create', { message: 'm', mode: null })
    expect([params, repairs]).toEqual([{ message: 'm' }, ['mode is null']])
  })
})
