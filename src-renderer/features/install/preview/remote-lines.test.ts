import { describe, expect, it } from 'vitest'

import type { RemotePreview } from '../../../../src-shared/domain/installation/launch-plan'
import { addressLine, headerLines, servedLine } from './preview-bodies'

const preview: RemotePreview = {
  kind: 'remote',
  type: 'sse',
  url: {
    text: 'https://host.invalid/a?key=••••••••',
    secret: true,
    origin: { kind: 'you', label: 'Tenant', fieldKey: 'url_url_tenant' },
  },
  headers: [
    {
      name: 'Authorization',
      text: 'Bearer ••••••••',
      secret: true,
      origin: { kind: 'keychain', label: 'Token', fieldKey: 'head_token' },
    },
  ],
  planHash: '',
  problems: [],
  warnings: [],
}
const marks = { live: { fieldKey: 'url_url_tenant' }, bad: [{ fieldKey: 'head_token' }] }

describe('D3 what a remote is sent, line by line', () => {
  it('names the address with what it comes from', () => {
    expect(addressLine(preview, marks)).toMatchObject({
      text: 'https://host.invalid/a?key=••••••••',
      origin: 'you',
      mine: true,
      state: 'live',
    })
  })

  it('names each header', () => {
    expect(headerLines(preview.headers, { ...marks, secretsInMemory: true })).toMatchObject([
      { lead: 'Authorization: ', origin: 'memory', secret: true, state: 'bad' },
    ])
  })

  it('names what a package serves', () => {
    expect(servedLine('http://127.0.0.1:1/mcp').text).toBe('http://127.0.0.1:1/mcp')
  })
})
