import { describe, expect, it } from 'vitest'

import { openText } from '../../../src-shared/domain/installation/custom-server'
import { approveCustomServer, madeCommand, PLAIN } from '../../fixtures/custom-servers'
import { openHarness } from '../../fixtures/open-harness'

const NAME = 'GOOGLE_CREDENTIALS_JSON'
/** Linux's limit for a variable with its name, in bytes. */
const MOST = 131_071
const allowed = (bytes: number): string =>
  `${NAME} has ${bytes.toLocaleString('en-US')} bytes, but the system allows 131,071. Shorten the value, or put it into a file and enter the path of the file.`

describe.runIf(process.platform === 'linux')('F8: a value too large for the system', () => {
  it.each([
    ['one byte too many', 'x'.repeat(MOST - NAME.length), MOST + 1],
    ['letters of two bytes', 'é'.repeat(90_000), 180_024],
    ['far too many', 'x'.repeat(200_000), 200_024],
  ])('is named with its size in the form: %s', async (_, text, bytes) => {
    const harness = openHarness()
    const server = madeCommand({
      args: [openText(PLAIN)],
      env: [{ name: NAME, value: openText(text) }],
    })
    const { preview, problems } = await harness.call('customServer.preview', { server })
    expect(preview).not.toBeNull()
    expect(problems).toEqual([
      { fieldPath: 'env.0.value', label: `Variable ${NAME}`, message: allowed(bytes) },
    ])
    const save = { name: 'Mine', server, start: true }
    await expect(harness.call('customServer.save', save)).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
  })

  it('is accepted at the limit, and the server starts', async () => {
    const harness = openHarness()
    const value = openText('x'.repeat(MOST - NAME.length - 1))
    const server = madeCommand({ args: [openText(PLAIN)], env: [{ name: NAME, value }] })
    expect((await harness.call('customServer.preview', { server })).problems).toEqual([])
    await harness.until(await approveCustomServer(harness, server), 'ready')
  })

  it('is named in a notice when pasted, as a secret and as an argument', async () => {
    const harness = openHarness()
    const one = { command: 'node', args: [PLAIN], env: { [NAME]: 'x'.repeat(200_000) } }
    const two = { command: 'node', args: [PLAIN, 'y'.repeat(140_000)] }
    const text = JSON.stringify({ mcpServers: { one, two } })
    const read = await harness.call('configuration.read', { text, choices: [] })
    if (read.kind !== 'servers') throw new Error(read.kind)
    expect(read.servers.map(({ obstacle }) => obstacle)).toEqual([undefined, undefined])
    expect(read.servers.flatMap(({ notices }) => notices)).toEqual([
      { path: `mcpServers.one: Variable ${NAME}`, message: allowed(200_024) },
      {
        path: 'mcpServers.two: Argument 2',
        message: allowed(140_000).replace(NAME, 'Argument 2'),
      },
    ])
  })
})
