import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { nameTools } from './tool-names'

const LONG_ALIAS = 'a'.repeat(24)
const EXPOSED = /^[A-Za-z0-9_-]{1,64}$/

function name(tool: string, alias = 'files'): string | undefined {
  return nameTools(alias, [tool])[0]?.exposedName
}

function reason(...tools: string[]): string | undefined {
  return nameTools('files', tools).at(-1)?.reason
}

describe('C4: the exposed name of a tool', () => {
  it('is the alias of its server and its name', () => {
    expect(name('read_file')).toBe('files__read_file')
    expect(name('Read-File')).toBe('files__Read-File')
  })

  it('separates alias and name at the first two underscores, whatever the name begins with', () => {
    expect(name('__')).toBe('files____')
    expect(name('_x')).toBe('files___x')
    for (const tool of ['__', '_x', 'a__b', 'x']) {
      const [alias, ...rest] = (name(tool, 'my_files') ?? '').split('__')
      expect([alias, rest.join('__')]).toEqual(['my_files', tool])
    }
  })

  it('has underscores in place of dots, and a hash as distinction', () => {
    expect(name('fs.read')).toBe('files__fs_read_4074bc02')
    expect(name('fs..read')).toMatch(/^files__fs_read_[0-9a-f]{8}$/)
    expect(name('fs..read')).not.toBe(name('fs.read'))
    expect(name('.')).toMatch(/^files___[0-9a-f]{8}$/)
  })

  it('has at most 64 characters: the beginning of a longer name, and a hash of all of it', () => {
    expect(name('x'.repeat(38), LONG_ALIAS)).toBe(`${LONG_ALIAS}__${'x'.repeat(38)}`)
    const cut = name('x'.repeat(39), LONG_ALIAS)
    expect(cut).toMatch(/^a{24}__x{29}_[0-9a-f]{8}$/)
    expect(cut).toHaveLength(64)
    expect(name('x'.repeat(40), LONG_ALIAS)).not.toBe(cut)
    expect(name('x'.repeat(128))).toMatch(EXPOSED)
  })

  it('keeps two tools distinct that differ in case only', () => {
    const names = nameTools('files', ['read', 'Read']).map(({ exposedName }) => exposedName)
    expect(names).toEqual(['files__read', 'files__Read'])
  })
})

describe('C4: names in any language and with any visible character', () => {
  it.each([
    ['Mower Status', 'files__Mower_Status_'],
    ['repo/search', 'files__repo_search_'],
    ['context:get', 'files__context_get_'],
    ['suche_für', 'files__suche_f_r_'],
    ['検索', 'files___'],
    ['trailing ', 'files__trailing_'],
    ['q?', 'files__q_'],
    ['नमस्ते\u200dहिन्दी', 'files___'],
    ['☂️ weather', 'files___weather_'],
    ['x'.repeat(300), `files__${'x'.repeat(48)}_`],
  ])('become a readable part and a hash: %j', (tool, start) => {
    expect(name(tool)).toMatch(EXPOSED)
    expect(name(tool)?.startsWith(start)).toBe(true)
  })

  it('stay distinct with the same readable part', () => {
    const tools = ['a b', 'a/b', 'a:b', 'a  b', 'a_b', '検索', '作成']
    const names = nameTools('files', tools).map(({ exposedName }) => exposedName)
    expect(new Set(names).size).toBe(tools.length)
    expect(names).not.toContain(undefined)
  })
})

describe('F11: names that fit an app', () => {
  const tools = ['x'.repeat(22), 'x'.repeat(23), 'list_pull_request_review_comments_for_repository']
  const named = (limit: number): (string | undefined)[] =>
    nameTools(LONG_ALIAS, tools, limit).map(({ exposedName }) => exposedName)

  it("have at most the app's number of characters, and are unique", () => {
    for (const limit of [40, 48, 49, 51, 64]) {
      for (const one of named(limit)) expect(one?.length).toBeLessThanOrEqual(limit)
      expect(new Set(named(limit)).size).toBe(tools.length)
    }
  })

  it('stay unchanged if they fit', () => {
    expect(named(48)[0]).toBe(`${LONG_ALIAS}__${'x'.repeat(22)}`)
    expect(named(48)[1]).toMatch(/^a{24}__x{13}_[0-9a-f]{8}$/)
    expect(named(49)[1]).toBe(`${LONG_ALIAS}__${'x'.repeat(23)}`)
  })
})

describe('C4: hidden tools', () => {
  it('include tools with a missing or blank name', () => {
    expect(reason('')).toBe('The name is missing.')
    expect(reason('  ')).toBe('The name is missing.')
    expect(reason('\u00a0\u3000')).toBe('The name is missing.')
  })

  it('include tools with a name of more than 1,000 characters', () => {
    expect(reason('x'.repeat(1_001))).toBe(
      `The name "${'x'.repeat(60)}…" has 1001 characters, but Patchbay takes 1000.`,
    )
    expect(reason('x'.repeat(1_000))).toBeUndefined()
  })

  it('include tools with invisible characters in the name, and the reason shows these as codes', () => {
    expect(reason('read\u200bfile')).toContain('(U+200B): “read<U+200B>file”')
    expect(reason('a\u{e0041}\u202eb\u3164')).toContain('“a<U+E0041><U+202E>b<U+3164>”')
    expect(reason('a\ud800')).toContain('<U+D800>')
    expect(reason('a\nb')).toBe('The name "a<U+000A>b" contains a line break or a tab.')
  })

  it('have a short reason, however long the name is', () => {
    expect(reason('\u200b'.repeat(1_000))?.length).toBeLessThan(1_000)
    expect(reason(`${'x'.repeat(1_000_000)}é`)?.length).toBeLessThan(200)
  })

  it('include the second tool with the same name', () => {
    const [first, second] = nameTools('files', ['read', 'read'])
    expect(first).toEqual({ exposedName: 'files__read' })
    expect(second?.reason).toBe('The server lists "read" more than once. The first one is used.')
  })

  it('include the mapped one of two tools with the same result, in either order', () => {
    const mapped = nameTools('files', ['fs.read'])[0]?.exposedName?.slice('files__'.length) ?? ''
    const plain = { exposedName: `files__${mapped}` }
    const set = {
      reason: `The name "files__${mapped}" for agents is already used by "${mapped}" of the same server.`,
    }
    expect(nameTools('files', ['fs.read', mapped])).toEqual([set, plain])
    expect(nameTools('files', [mapped, 'fs.read'])).toEqual([plain, set])
  })

  it('include both of two mapped tools with the same result, so that no name moves', () => {
    // Found by search: the first eight digits of their hashes are equal.
    const one = `${'x'.repeat(48)}0000001oj8`
    const two = `${'x'.repeat(48)}00000026r1`
    expect(name(one)).toBe(name(two))
    const clash = (other: string) => ({
      reason: `The name "${name(one) ?? ''}" for agents is already used by "${other}" of the same server.`,
    })
    expect(nameTools('files', [one, two])).toEqual([clash(two), clash(one)])
    expect(nameTools('files', [two, one])).toEqual([clash(one), clash(two)])
  })
})

/** Generates names that collide: few letters, dots, and results of the mapping. */
const toolName = fc.oneof(
  fc.stringMatching(/^[ab._-]{0,4}$/),
  fc.stringMatching(/^[A-Za-z0-9_.-]{1,130}$/),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 90 }),
  fc.constantFrom('fs.read', 'fs_read_4074bc02', '__proto__', 'constructor'),
)

describe('C4: the exposed names of any list', () => {
  const alias = fc.stringMatching(/^[a-z](_?[a-z0-9-]){0,11}$/)
  const limit = fc.constantFrom(40, 48, 51, 64)

  it('are accepted by models, unique, and have the alias before the first two underscores', () => {
    fc.assert(
      fc.property(alias, fc.array(toolName, { maxLength: 40 }), limit, (server, tools, most) => {
        const exposed = nameTools(server, tools, most).flatMap(
          ({ exposedName = [] }) => exposedName,
        )
        expect(new Set(exposed).size).toBe(exposed.length)
        for (const one of exposed) {
          expect(one).toMatch(EXPOSED)
          expect(one.length).toBeLessThanOrEqual(most)
          expect(one.slice(0, one.indexOf('__'))).toBe(server)
        }
      }),
    )
  })

  it('are the same in any order', () => {
    const shuffled = fc
      .uniqueArray(toolName, { maxLength: 20 })
      .chain((tools) =>
        fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length })),
      )
    fc.assert(
      fc.property(shuffled, ([tools, others]) => {
        const names = (list: string[]) =>
          new Map(nameTools('s', list).map(({ exposedName }, index) => [list[index], exposedName]))
        expect(names(others)).toEqual(names(tools))
      }),
    )
  })
})
