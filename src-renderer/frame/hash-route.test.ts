import { describe, expect, it } from 'vitest'

import { parseHash } from './hash-route'
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
