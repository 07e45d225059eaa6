import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { listedServer } from '../../../../e2e/fixtures/listed-servers'
import { OFFICIAL_REGISTRY } from '../../../../src-shared/domain/catalog/official-registry'
import { openCatalogFile } from '../store/catalog-file'
import { CatalogStore } from '../store/catalog-store'
import { readEntryHead } from '../store/listed-entry'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-search-owners-'))
const store = new CatalogStore(openCatalogFile(folder))
/** Each is offered by its maker under another name, and by others who wrap it. */
const OWNED = [
  listedServer({ name: 'com.wrapper/lantern', title: 'Lantern' }),
  listedServer({ name: 'io.github.lantern/mcp-lantern', description: 'Lamps' }),
  listedServer({ name: 'com.wrapper/harbour', title: 'Harbour' }),
  listedServer({ name: 'io.github.harbour-labs/mcp-harbour' }),
  listedServer({ name: 'io.github.ann/lantern-lamps', description: 'All about lamps' }),
  listedServer({ name: 'com.keeper/lamps' }),
  listedServer({ name: 'com.gone/anvil' }),
  listedServer({ name: 'com.wrapper/quill', title: 'Quill' }),
  listedServer({ name: 'io.github.quill/mcp-quill' }),
]
/** Each with another server that domain, words or length would rank first. */
const NAMED = [
  listedServer({ name: 'io.github.una/tide' }),
  listedServer({ name: 'com.shore/tide-x' }),
  listedServer({ name: 'io.github.vera/mcp-of-many-words', title: 'Paper Boat' }),
  listedServer({ name: 'com.shore/paper-boat-x' }),
  listedServer({ name: 'io.github.wren/kettle' }),
  listedServer({ name: 'io.github.kettle/x', title: 'Wren Kettle' }),
]

function save(servers: readonly object[]): void {
  const heads = servers.map(readEntryHead).filter((head) => head !== undefined)
  store.transaction(() => store.saveEntries('s', heads, 1))
}

beforeAll(() => {
  store.setSources([{ sourceId: 's', baseUrl: OFFICIAL_REGISTRY, enabled: true }])
  save([...OWNED, ...NAMED])
})

afterAll(() => {
  store[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

describe('D2: the publisher of a server', () => {
  it.each([
    ['is first by its own name, also at GitHub', 'lantern', 'io.github.lantern/mcp-lantern'],
    ['is first while its name is being typed', 'lante', 'io.github.lantern/mcp-lantern'],
    ['is first where the keys slipped', 'lantrn', 'io.github.lantern/mcp-lantern'],
    ['is first with another word beside it', 'lantern lamps', 'io.github.lantern/mcp-lantern'],
  ])('%s', (_, text, name) => {
    expect(store.search({ text }).servers[0]?.name).toBe(name)
  })

  it('is still known after another server is removed', () => {
    const first = () => store.search({ text: 'quill' }).servers[0]?.name
    expect(first()).toBe('io.github.quill/mcp-quill')
    save([listedServer({ name: 'com.gone/anvil', status: 'deleted' })])
    expect(first()).toBe('io.github.quill/mcp-quill')
  })

  it('ranks among the first if the name begins with it', () => {
    const names = store.search({ text: 'harbour' }).servers.map(({ name }) => name)
    expect(names.slice(0, 2)).toContain('io.github.harbour-labs/mcp-harbour')
  })
})

describe('D2: a server whose whole name was typed', () => {
  it.each([
    ['the short one', 'tide', 'io.github.una/tide'],
    ['the title', 'Paper Boat', 'io.github.vera/mcp-of-many-words'],
    ['the full one', 'io.github.wren/kettle', 'io.github.wren/kettle'],
  ])('is first by %s', (_, text, name) => {
    expect(store.search({ text }).servers[0]?.name).toBe(name)
  })
})

describe('D2: the host in a name', () => {
  it.each(['github', 'io', 'com', 'io.github', 'github.com', 'github io'])(
    'finds nothing if it is shared: %s',
    (text) => {
      expect(store.search({ text }).servers).toEqual([])
    },
  )

  it.each(['com.keeper', 'com.keeper/lamps', 'keeper.com'])(
    'may be typed before or after the publisher: %s',
    (text) => {
      expect(store.search({ text }).servers[0]?.name).toBe('com.keeper/lamps')
    },
  )
})
