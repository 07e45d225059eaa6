import { describe, expect, it } from 'vitest'

import { createRedactor } from '../masking/redact'
import { ServerLogs } from './server-logs'

describe('D6: the logs of all servers', () => {
  it('mask the secrets of the server, or of all servers if it is unknown', () => {
    const logs = new ServerLogs(() => undefined)
    logs.open('one').setRedactor(createRedactor(['correct-horse']))
    const other = logs.open('other')
    const text = 'correct-horse and battery-staple'
    expect(logs.mask(text, 'one')).toBe('•••••••• and battery-staple')
    expect(logs.mask(text, 'other')).toBe(text)
    expect(logs.mask(text)).toBe('•••••••• and battery-staple')
    other.setRedactor(createRedactor(['battery-staple']))
    expect(logs.mask(text)).toBe('•••••••• and ••••••••')
    expect(logs.mask(text, 'gone')).toBe('•••••••• and ••••••••')
    logs.remove('one')
    expect(logs.mask(text)).toBe('correct-horse and ••••••••')
  })
})
