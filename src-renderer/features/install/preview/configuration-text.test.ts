import { describe, expect, it } from 'vitest'

import {
  type LaunchPreview,
  SECRET_MASK,
} from '../../../../src-shared/domain/installation/launch-plan'
import { configurationText, limitsText } from './configuration-panel'

const consent = { planHash: 'x', problems: [], warnings: [] }
const you = { kind: 'you', label: 'API token' } as const
const fixed = { kind: 'fixed', label: 'fixed' } as const

describe('configuration as text', () => {
  it('contains a command as other apps write it, with placeholders for secrets', () => {
    const preview: LaunchPreview = {
      ...{ kind: 'command', command: 'npx', packageName: 'thing', ...consent },
      args: [
        { text: '-y', secret: false, joined: false, origin: fixed },
        { text: SECRET_MASK, secret: true, joined: false, origin: you },
      ],
      env: [
        { name: 'MODE', text: 'a', secret: false, origin: you },
        { name: 'KEY', text: SECRET_MASK, secret: true, origin: you },
      ],
    }
    const text = configurationText('Thing', preview)
    expect(JSON.parse(text)).toEqual({
      mcpServers: {
        Thing: {
          command: 'npx',
          args: ['-y', '${API_TOKEN}'],
          env: { MODE: 'a', KEY: '${KEY}' },
        },
      },
    })
    expect(text).not.toContain(SECRET_MASK)
  })

  it('contains an address with its headers', () => {
    const preview: LaunchPreview = {
      ...{ kind: 'remote', type: 'streamable-http', ...consent },
      url: { text: 'https://a.example/mcp', secret: false, origin: fixed },
      headers: [{ name: 'Authorization', text: SECRET_MASK, secret: true, origin: you }],
    }
    expect(JSON.parse(configurationText('Far', preview))).toEqual({
      mcpServers: {
        Far: {
          ...{ type: 'http', url: 'https://a.example/mcp' },
          headers: { Authorization: '${Authorization}' },
        },
      },
    })
  })

  it('names custom time limits', () => {
    expect(limitsText({})).toBe('')
    expect(limitsText({ handshakeMs: 5_000 })).toBe('Custom time limits: handshake 5 s.')
  })
})
