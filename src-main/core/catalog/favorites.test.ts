import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { Favorites } from './favorites'

const ref = (name: string) => ({ sourceId: 'official', name })

describe('D2: favorites and recently viewed servers', () => {
  it('survive a restart, newest first, without duplicates', () => {
    const folder = tempFolder('marks')
    const marks = new Favorites(folder)
    for (const name of ['a/a', 'a/b', 'a/a']) marks.setFavorite(ref(name), true)
    for (let index = 0; index < 40; index += 1) marks.recordViewed(ref(`a/${index}`))
    const later = new Favorites(folder)
    expect(later.favorites.map(({ name }) => name)).toEqual(['a/a', 'a/b'])
    expect(later.viewed).toHaveLength(30)
    expect(later.viewed[0]).toEqual(ref('a/39'))
    later.setFavorite(ref('a/a'), false)
    expect(new Favorites(folder).favorites).toEqual([ref('a/b')])
  })

  it('are read from the file of version 0.1.0', () => {
    const folder = tempFolder('marks')
    const text = '{"version":1,"favourites":[{"sourceId":"s","name":"a/a"}],"viewed":[]}'
    writeFileSync(join(folder, 'catalog-marks.json'), text)
    expect(new Favorites(folder).favorites).toEqual([{ sourceId: 's', name: 'a/a' }])
  })

  it.each(['', '{', '{"version":2}', '{"version":1,"favourites":[{"name":1}],"viewed":[]}'])(
    'are empty if the file contains %j, and can be set again',
    (text) => {
      const folder = tempFolder('marks')
      writeFileSync(join(folder, 'catalog-marks.json'), text)
      const marks = new Favorites(folder)
      expect(marks.favorites).toEqual([])
      marks.setFavorite(ref('a/a'), true)
      expect(readFileSync(join(folder, 'catalog-marks.json'), 'utf8')).toContain('a/a')
    },
  )

  it("stay as they are if the folder isn't writable, with an error", () => {
    const taken = join(tempFolder('marks'), 'taken')
    writeFileSync(taken, '')
    const marks = new Favorites(taken)
    expect(() => marks.setFavorite(ref('a/a'), true)).toThrow(/couldn’t be written/)
    expect(marks.favorites).toEqual([])
  })
})
