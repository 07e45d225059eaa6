import { describe, expect, it } from 'vitest'

import { childEnvironment } from './child-environment'

describe('A7 the environment of a server', () => {
  it('holds what programs need and no token of another program', () => {
    const own = {
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      AWS_SECRET_ACCESS_KEY: 'x',
      GITHUB_TOKEN: 'y',
    }
    expect(childEnvironment(own, {})).toEqual({ PATH: '/bin', HOME: '/h', LC_ALL: 'C' })
  })

  it('takes the values of the plan over its own', () => {
    expect(childEnvironment({ HOME: '/h' }, { HOME: '/other', KEY: 'k' })).toEqual({
      HOME: '/other',
      KEY: 'k',
    })
  })

  it("puts the login shell's folders first, each once", () => {
    const env = childEnvironment({ PATH: '/bin:/usr/bin' }, {}, '/opt/node/bin:/usr/bin')
    expect(env.PATH).toBe('/opt/node/bin:/usr/bin:/bin')
  })
})
