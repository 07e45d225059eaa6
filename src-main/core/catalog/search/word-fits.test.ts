import { DatabaseSync } from 'node:sqlite'

import { describe, expect, it } from 'vitest'

import { hostLength } from './fold'
import { FIT, WordFits } from './match-text'
import type { ServerColumns } from './server-columns'

/** How well the word fits a label of short name, title, full name, publisher and packages. */
function fitOf(word: string, label: string): number | undefined {
  using reader = new DatabaseSync(':memory:')
  reader.exec('CREATE VIRTUAL TABLE server_word USING fts5(words)')
  const [short = '', title = '', name = ''] = label.split('\n')
  const head = short.length + title.length + 1
  const heads = [head]
  const hosts = [head + 1 + hostLength(name)]
  const text = { text: label, starts: Int32Array.of(0, label.length + 1) }
  const columns = { size: 1, heads, hosts, text: () => text, slotOf: () => undefined }
  return new WordFits(columns as unknown as ServerColumns, reader).of(word).fits[0]
}

describe('D2 of the places of a word in what is listed the best one counts', () => {
  it.each([
    ['a word of the title behind the begin of the name', 'abacus\ncount ab\nx', FIT.nameWord],
    ['a word of the name behind a part of another', 'crab-ab\ntitle\nx', FIT.nameWord],
    [
      'the begin of the name, also where a package is called so',
      'abacus\nx\nx\nx\nab',
      FIT.nameStart,
    ],
    [
      'the begin of a package behind parts of others',
      'crab\ncrab\ncrab\ncrab\nab-tools',
      FIT.start,
    ],
    ['a part of a name', 'crab\nx\nx', FIT.within],
    ['the host of a name', 'x\ny\nabc.acme/x\nacme\nacme.abc', FIT.host],
    ['the name of a publisher behind its host', 'x\ny\nab.abacus/x\nx', FIT.start],
    ['none', 'x\ny\nz', 0],
  ])('%s', (_place, label, fit) => {
    expect(fitOf('ab', label)).toBe(fit)
  })
})
