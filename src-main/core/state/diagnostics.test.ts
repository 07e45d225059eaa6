import { describe, expect, it } from 'vitest'

import { approveCustomServer, madeCommand, typedSecret } from '../../../e2e/fixtures/custom-servers'
import { openHarness } from '../../../e2e/fixtures/open-harness'
import { openText } from '../../../src-shared/domain/installation/custom-server'

const SECRET = 'sk-abcdefghijklmnop1234567890'

describe('D8: diagnostics', () => {
  it("contain versions, changed settings and each server's status, but no secret, path or address", async () => {
    const harness = openHarness()
    await harness.call('settings.update', {
      ...{ installSlots: 7, registryUrl: 'https://registry.acme.example' },
    })
    const env = [{ name: 'API_KEY', value: typedSecret(SECRET) }]
    const args = [openText(`/home/ann/secret-project/${SECRET}.mjs`)]
    await approveCustomServer(harness, madeCommand({ args, env }))
    const read = async (): Promise<string> => (await harness.call('app.diagnostics', {})).text
    await expect.poll(read).toContain('"code"')
    const text = await read()
    const found = JSON.parse(text) as { settings: object; servers: object[] }
    expect(found.settings).toMatchObject({ installSlots: 7, registryUrl: 'changed' })
    expect(found.servers).toMatchObject([{ enabled: true, error: { code: 'SERVER_EXITED' } }])
    for (const part of [SECRET, 'acme.example', 'secret-project']) expect(text).not.toContain(part)
  })
})
