import { describe, expect, it } from 'vitest'

import { decodeParam, parseHash, routerPlace } from './hash-route'
import { placeAbove } from './shortcuts'

describe('routes in the URL fragment', () => {
  it('have a path and a query', () => {
    expect(parseHash('#/servers/a/configure?field=root')).toEqual({
      path: '/servers/a/configure',
      search: 'field=root',
    })
    expect(parseHash('')).toEqual({ path: '/', search: '' })
    expect(parseHash('/catalog')).toEqual({ path: '/catalog', search: '' })
  })

  it.each(['a%41b', 'a/b', '100%', 'ü ö', 'a%2Fb', '?#'])(
    'keep the id %s in a path and a query',
    (id) => {
      const { path, search } = routerPlace(
        `#/apps/${encodeURIComponent(id)}?at=${encodeURIComponent(id)}`,
      )
      // Like the router.
      expect(decodeParam(decodeURI(path).replace('/apps/', ''))).toBe(id)
      expect(new URLSearchParams(decodeURI(search)).get('at')).toBe(id)
    },
  )

  it('keep a part that is not encoded', () => {
    expect(decodeParam(decodeURI(routerPlace('#/apps/100%').path).replace('/apps/', ''))).toBe(
      '100%',
    )
  })

  it('have a parent, except the form of an existing server', () => {
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
