import { describe, expect, it } from 'vitest'

import { resolveCommand } from './resolve-command'

describe('A5 a command that is not there', () => {
  it.each(['constructor', '__proto__', 'npx'])('is explained in words, even %s', async (name) => {
    const found = resolveCommand(name, { PATH: '/nowhere' })
    await expect(found).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      hint: expect.stringContaining('Install') as string,
    })
  })
})
