import { describe, expect, it } from 'vitest'

import { ComputerVariables } from './computer-variables'

/** A shell whose profile sets these variables, and the number of requests to it. */
function computer(own: Record<string, string>) {
  let requests = 0
  const profile: Record<string, string> = { GH_PAT: 'of-profile', LANG: 'of-profile' }
  const read = (): Promise<Record<string, string>> => {
    requests += 1
    return Promise.resolve(profile)
  }
  const shell = { read, valueOf: async (name: string) => (await read())[name] }
  return { variables: new ComputerVariables(own, shell), requests: () => requests }
}

describe('F13: the variables of this computer', () => {
  it("are Patchbay's own, then the login shell's", async () => {
    const { variables } = computer({ LANG: 'own' })
    expect(await variables.valueOf('LANG')).toBe('own')
    expect(await variables.valueOf('GH_PAT')).toBe('of-profile')
    expect(await variables.valueOf('NO_SUCH')).toBeUndefined()
    expect(await variables.namedIn('"${env:GH_PAT}"')).toEqual({
      LANG: 'own',
      GH_PAT: 'of-profile',
    })
  })

  it("don't start the shell for a text without placeholders", async () => {
    const { variables, requests } = computer({ LANG: 'own' })
    expect(await variables.namedIn('{"command":"npx"}')).toEqual({ LANG: 'own' })
    expect(requests()).toBe(0)
  })
})
