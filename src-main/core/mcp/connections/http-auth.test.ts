import { describe, expect, it } from 'vitest'

import { bearerChallenge, challengesIn } from './http-auth'

const METADATA = 'https://server.test/meta'

const headersOf = (...challenges: readonly string[]): Headers =>
  new Headers(challenges.map((one) => ['www-authenticate', one] as [string, string]))

describe('F4: the challenges of a refused request', () => {
  it.each([
    [
      'after others in headers of their own',
      ['Negotiate', 'Basic realm="a, b"', `Bearer resource_metadata="${METADATA}"`],
    ],
    [
      'after others in the same header',
      [`Negotiate YII==, Basic realm="x", Bearer resource_metadata="${METADATA}"`],
    ],
    ['before others', [`Bearer resource_metadata="${METADATA}"`, 'Basic realm="x"']],
    ['with blanks around its signs', [`bearer realm = "x" ,\tresource_metadata  =  "${METADATA}"`]],
    ['without quotes', [`Bearer resource_metadata=${METADATA}`]],
    ['after an empty one', [`Bearer`, `Bearer resource_metadata="${METADATA}"`]],
    [
      'after a comma and a name in quotes',
      [`Bearer realm="say \\"Bearer scope=x\\", then", resource_metadata="${METADATA}"`],
    ],
    ['with names in another case', [`BEARER Resource_Metadata="${METADATA}"`]],
  ])('have the one for a bearer token %s', (_title, challenges) => {
    expect(bearerChallenge(headersOf(...challenges))?.resource_metadata).toBe(METADATA)
  })

  it('keep the parameters of each scheme apart', () => {
    expect(challengesIn('Basic realm="one", scope=two, Bearer error=three')).toEqual([
      { scheme: 'basic', params: { realm: 'one', scope: 'two' } },
      { scheme: 'bearer', params: { error: 'three' } },
    ])
  })

  it.each([
    ['', []],
    ['Negotiate', ['negotiate']],
    [', ,,', []],
    ['"";=', []],
  ])('are none for a bearer token in %j', (header, schemes) => {
    expect(challengesIn(header).map(({ scheme }) => scheme)).toEqual(schemes)
    expect(bearerChallenge(headersOf(header))).toBeUndefined()
  })
})
