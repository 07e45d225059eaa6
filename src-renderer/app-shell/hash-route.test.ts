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

  it('goes up one level, but never from a form that may hold unsaved values', () => {
    expect(placeAbove('/servers/a/log')).toBe('/servers')
    expect(placeAbove('/servers')).toBe('/')
    expect(placeAbove('/servers/a/configure')).toBeNull()
    expect(placeAbove('/setup/x/0')).toBeNull()
    expect(placeAbove('/')).toBeNull()
  })
})
