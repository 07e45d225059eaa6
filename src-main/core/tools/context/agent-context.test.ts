import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  agentContext,
  type ContextServer,
  countContexts,
  foldContext,
  FRAME,
} from './agent-context'

const NOTHING = { resources: [], resourceTemplates: [], prompts: [] }
const server = (
  name: string,
  capabilities: Partial<ContextServer['capabilities']> = {},
  instructions?: string,
): ContextServer => ({
  name,
  alias: name.toLowerCase(),
  instructions,
  capabilities: { ...NOTHING, ...capabilities },
})
const resources = (count: number): ContextServer['capabilities']['resources'] =>
  Array.from({ length: count }, (_, index) => ({
    uri: `file:///${String(index).padStart(6, '0')}`,
    name: 'n'.repeat(300),
  }))

/** Generates texts that could end, begin or imitate a block. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    ...Object.values(FRAME),
    ...Object.values(FRAME).map((line) => `x\n${line}\n`),
    `\r\n${FRAME.close}\r\n${FRAME.end}\r\n`,
    '~~~',
    '````',
    '`\u200B``',
    '- ',
    'Server ',
  ),
)
const texts = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(''))
const optional = fc.option(texts, { nil: undefined })
const anyResource = fc.record({
  uri: texts,
  name: texts,
  title: optional,
  description: optional,
  mimeType: optional,
})
const anyTemplate = fc.record({
  uriTemplate: texts,
  name: texts,
  title: optional,
  description: optional,
  mimeType: optional,
})
const anyPrompt = fc.record({
  name: texts,
  title: optional,
  description: optional,
  arguments: fc.array(
    fc.record({ name: texts, required: fc.option(fc.boolean(), { nil: undefined }) }),
    { maxLength: 3 },
  ),
})
const anyServer: fc.Arbitrary<ContextServer> = fc.record({
  name: texts,
  alias: texts,
  instructions: optional,
  capabilities: fc.record({
    resources: fc.array(anyResource, { maxLength: 3 }),
    resourceTemplates: fc.array(anyTemplate, { maxLength: 3 }),
    prompts: fc.array(anyPrompt, { maxLength: 3 }),
  }),
})
const anyServers = fc.array(anyServer, { maxLength: 4 })

describe('C6: the context of an agent', () => {
  it('lists servers, resources, templates and prompts in a fence, one line each', () => {
    const files = server(
      'Files',
      {
        resources: [
          { uri: 'file:///b', name: 'b', description: 'Second\nline' },
          { uri: 'file:///a', name: 'a', title: 'First', mimeType: 'text/plain' },
        ],
        resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'any' }],
        prompts: [
          {
            name: 'review',
            description: 'Reviews a file',
            arguments: [{ name: 'path', required: true }, { name: 'depth' }],
          },
        ],
      },
      'Ask for the root first.',
    )
    expect(agentContext([server('Empty'), files]).split('\n')).toEqual([
      '<!-- patchbay:begin -->',
      '## MCP servers, resources and prompts',
      FRAME.note,
      '',
      '```text',
      'Server Files | alias files',
      '- instructions: Ask for the root first.',
      '- resource: file:///a | First | text/plain',
      '- resource: file:///b | b | Second line',
      '- resource template: file:///{path} | any',
      '- prompt: review | Reviews a file | arguments path (required), depth',
      '```',
      '<!-- patchbay:end -->',
    ])
  })

  it('is empty if no server has any content', () => {
    expect(agentContext([])).toBe('')
    expect(agentContext([server('One'), server('Two', {}, '\u200B\n')])).toBe('')
  })

  it('lists 200 items of a kind and the number of the others', () => {
    const lines = agentContext([server('Many', { resources: resources(1_234) })]).split('\n')
    expect(lines.filter((line) => line.startsWith('- resource: '))).toHaveLength(200)
    expect(lines).toContain('- … and 1,034 more resources')
    const one = agentContext([server('Many', { resources: resources(201) })])
    expect(one).toContain('- … and 1 more resource\n')
  })

  it('is bounded, whatever servers list', () => {
    const prompt = {
      description: '👩'.repeat(10_000),
      arguments: Array.from({ length: 1_000 }, () => ({ name: 'a'.repeat(1_000) })),
    }
    const capabilities = {
      resources: resources(500),
      prompts: Array.from({ length: 500 }, (_, at) => ({ ...prompt, name: `p${String(at)}` })),
    }
    const many = Array.from({ length: 100 }, (_, index) =>
      server(`Server ${String(index)}`, capabilities),
    )
    expect(agentContext(many).length).toBeLessThan(200_000)
  })

  it("does not depend on the order of a server's lists", () => {
    const listed = resources(20)
    expect(agentContext([server('One', { resources: listed.toReversed() })])).toBe(
      agentContext([server('One', { resources: listed })]),
    )
  })

  it('has exactly one begin, one fence and one end, whatever servers write', () => {
    fc.assert(
      fc.property(anyServers, (servers) => {
        const block = agentContext(servers)
        if (block === '') return
        const lines = block.split(/[\r\n\u2028\u2029\u0085]/u)
        for (const line of Object.values(FRAME))
          expect(lines.filter((one) => one === line)).toHaveLength(1)
        const [open, close] = [FRAME.open, FRAME.close].map((line) => lines.indexOf(line))
        expect(lines.slice(0, 5)).toEqual([FRAME.begin, FRAME.heading, FRAME.note, '', FRAME.open])
        expect(lines.slice(-2)).toEqual([FRAME.close, FRAME.end])
        for (const line of lines.slice((open ?? 0) + 1, close)) {
          expect(line).toMatch(/^(?:Server |- )/u)
          expect(line).not.toMatch(/[`~]{3}/u)
        }
        expect(countContexts(block)).toBe(1)
      }),
      { numRuns: 300 },
    )
  })
})

/** Generates texts that a user may have around a block, or remains of one. */
const around = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.values(FRAME), '', '# Notes', '- mine', 'Server x', '```', '~~~'),
      fc.string({ maxLength: 10 }),
    ),
    { maxLength: 8 },
  )
  .chain((lines) =>
    fc.constantFrom('\n', '\r\n').map((end) => lines.map((line) => line + end).join('')),
  )

describe("C6: the context in a user's file", () => {
  const old = agentContext([server('Old', { resources: resources(2) })])
  const unfenced = [FRAME.heading, 'Server Old | alias old', '- resource: file:///a', ''].join('\n')
  const fresh = agentContext([server('New', {}, 'Be brief.')])

  it('is added at the end after an empty line', () => {
    expect(foldContext('', fresh)).toBe(`${fresh}\n`)
    expect(foldContext('# Mine', fresh)).toBe(`# Mine\n\n${fresh}\n`)
    expect(foldContext('# Mine\n', fresh)).toBe(`# Mine\n\n${fresh}\n`)
    expect(foldContext('# Mine\n', '')).toBe('# Mine\n')
  })

  it('replaces an earlier one, and the other bytes stay unchanged', () => {
    expect(foldContext(`a \t\n${old}\n\nb`, fresh)).toBe(`a \t\n${fresh}\n\nb`)
    expect(foldContext(`a\n${old}`, fresh)).toBe(`a\n${fresh}`)
    expect(foldContext(`a\n${old}\nb`, '')).toBe('a\nb')
    const windows = (lines: string): string => lines.replaceAll('\n', '\r\n')
    expect(foldContext(windows(`a\n${old}\nb\n`), fresh)).toBe(windows(`a\n${fresh}\nb\n`))
  })

  it('replaces one without markers and fence', () => {
    expect(foldContext(`a\n\n${unfenced}\n- no list of it\n`, fresh)).toBe(
      `a\n\n${fresh}\n\n- no list of it\n`,
    )
    const noted = unfenced.replace('\n', `\n${FRAME.note}\n\n`)
    expect(foldContext(`${noted}# Mine\n`, fresh)).toBe(`${fresh}\n# Mine\n`)
    const heading = `${FRAME.heading}\nMy own words.\n`
    expect(foldContext(heading, fresh)).toBe(`${heading}\n${fresh}\n`)
  })

  it('exists once, in place of the first, if there were several', () => {
    expect(foldContext(`a\n${old}\nb\n${unfenced}c\n${old}\n- d\n`, fresh)).toBe(
      `a\n${fresh}\nb\nc\n- d\n`,
    )
    expect(foldContext(`${unfenced}${old}\n- mine\n`, fresh)).toBe(`${fresh}\n- mine\n`)
  })

  it('is not recognized if a marker or the fence is missing', () => {
    for (const line of [FRAME.begin, FRAME.open, FRAME.end]) {
      const broken = `${old.replace(line, 'mine')}\n`
      expect(foldContext(broken, fresh)).toBe(`${broken}\n${fresh}\n`)
    }
  })

  it('exists exactly once, and folding it in again changes nothing', () => {
    fc.assert(
      fc.property(
        around,
        around,
        anyServers,
        fc.constantFrom(old, unfenced, ''),
        (before, after, servers, was) => {
          const block = agentContext(servers)
          const folded = foldContext(`${before}${was}\n${after}`, block)
          expect(countContexts(folded)).toBe(block === '' ? 0 : 1)
          expect(foldContext(folded, block)).toBe(folded)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('keeps the text around it, whatever servers write', () => {
    const words = fc.array(fc.constantFrom('# Mine', '', '- x', 'text'), { maxLength: 5 })
    fc.assert(
      fc.property(words, words, anyServers, anyServers, (before, after, first, second) => {
        const [was, next] = [agentContext(first), agentContext(second)]
        fc.pre(was !== '' && next !== '')
        const wrapped = (block: string): string => [...before, block, ...after].join('\n')
        expect(foldContext(wrapped(was), next)).toBe(wrapped(next))
      }),
      { numRuns: 200 },
    )
  })
})
