import { createServer } from 'node:net'

import { describe, expect, it } from 'vitest'

import type { FormField } from '../../../src-shared/form/form-field'
import { bindLoopback } from '../listener/bind-loopback'
import { freePort, portField } from './installed-servers'

const field = (key: string, more: Partial<FormField> = {}): FormField => ({
  ...{ key, label: key, control: 'text', format: 'string', choices: [], required: false },
  ...{ secret: false, repeated: false },
  target: { place: 'environmentVariables', index: 0 },
  ...more,
})
const NOTES = field('env_NOTES', { default: '3000' })
const PORT = field('env_HTTP_PORT', { default: '8080' })
const OTHER = field('arg_port')
const REPORT = field('env_REPORT_FOLDER')
const ADDRESS = field('env_PORT_URL')

describe('E15: the field of a port in use', () => {
  it('is the one that holds the port, whatever its name', () => {
    expect(portField([NOTES, PORT], {}, 3_000)).toBe(NOTES)
    expect(portField([NOTES, PORT], { env_NOTES: '1', env_HTTP_PORT: '3000' }, 3_000)).toBe(PORT)
  })

  it('is otherwise the one named after a port, if it holds none or another', () => {
    expect(portField([NOTES, PORT, REPORT], {}, undefined)).toBe(PORT)
    expect(portField([OTHER, REPORT], {}, 3_000)).toBe(OTHER)
  })

  it("isn't guessed if several match, or none, or only a secret or a URL", () => {
    expect(portField([PORT, OTHER], {}, undefined)).toBeUndefined()
    expect(portField([NOTES, { ...PORT, default: '3000' }], {}, 3_000)).toBeUndefined()
    expect(portField([REPORT, NOTES], {}, undefined)).toBeUndefined()
    expect(portField([{ ...PORT, secret: true }], {}, 8_080)).toBeUndefined()
    expect(portField([ADDRESS], { env_PORT_URL: 'http://a' }, undefined)).toBeUndefined()
  })

  it('gets a free port as suggestion', async () => {
    const server = createServer()
    const port = await freePort()
    expect(await bindLoopback(server, port, () => undefined)).toBe(port)
    server.close()
  })
})
