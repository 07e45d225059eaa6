import { describe, expect, it } from 'vitest'

import { decodeParam, parseHash, routerPlace } from './hash-route'
import { placeAbove } from './shortcuts'

describe('places in the fragment', () => {
  it('has a path and a query', () => {
    expect(parseHash('#/servers/a/configure?field=root')).toEqual({
      path: '/servers/a/configure',
      search: 'field=root',
    })
    expect(parseHash('')).toEqual({ path: '/', search: '' })
    expect(parseHash('/catalog')).toEqual({ path: '/catalog', search: '' })
  })

  it.each(['a%41b', 'a/b', '100%', 'ü ö', 'a%2Fb', '?#'])(
    'keeps the id %s in a path and a query',
    (id) => {
      const { path, search } = routerPlace(
        `#/apps/${encodeURIComponent(id)}?at=${encodeURIComponent(id)}`,
      )
      // As the router does it.
      expect(decodeParam(decodeURI(path).replace('/apps/', ''))).toBe(id)
      expect(new URLSearchParams(decodeURI(search)).get('at')).toBe(id)
    },
  )

  it('keeps a part that is typed without encoding', () => {
    expect(decodeParam(decodeURI(routerPlace('#/apps/100%').path).replace('/apps/', ''))).toBe(
      '100%',
    )
  })

  it('goes up one level, but not from the form of a server that is there', () => {
    expect(placeAbove('/servers/a/log')).toBe('/servers')
    expect(placeAbove('/servers/a/review')).toBe('/servers/a/tools')
    expect(placeAbove('/servers')).toBe('/')
    expect(placeAbove('/apps/cursor')).toBe('/apps')
    expect(placeAbove('/apps')).toBe('/')
    expect(placeAbove('/servers/a/configure')).toBeNull()
    expect(placeAbove('/setup/x/0')).toBe('/catalog')
    expect(placeAbove('/')).toBeNull()
  })
})
