import { describe, expect, it } from 'vitest'

import {
  openCollectorHost,
  typedClientDocument,
  typedCollector,
  typedNumber,
  typedRegistryUrl,
} from './settings-table'

describe('typed settings', () => {
  it('accept a web address without its trailing slash and reject other schemes', () => {
    expect(typedRegistryUrl(' http://127.0.0.1:8080/ ')).toEqual({
      change: { registryUrl: 'http://127.0.0.1:8080' },
    })
    for (const bad of ['', 'registry', 'file:///etc', 'javascript:alert(1)'])
      expect(typedRegistryUrl(bad)).toHaveProperty('problem')
  })

  it('C10: accept the address of a client metadata document as written, or none', () => {
    for (const [text, clientMetadataUrl] of [
      [' https://EXAMPLE.test/a/../client.json ', 'https://example.test/client.json'],
      ['', ''],
    ] as const)
      expect(typedClientDocument(text)).toEqual({ change: { clientMetadataUrl } })
    for (const bad of [
      'client.json',
      'http://example.test/client.json',
      'https://example.test',
      'https://me:secret@example.test/client.json',
      'https://example.test/client.json#a',
    ])
      expect(typedClientDocument(bad)).toHaveProperty('problem')
  })

  it('accept integers within their range', () => {
    const typedSlots = typedNumber('installSlots')
    expect(typedSlots('16')).toEqual({ change: { installSlots: 16 } })
    for (const bad of ['', '0', '17', '1.5', '-1', '1e1'])
      expect(typedSlots(bad)).toEqual({ problem: 'Enter a whole number from 1 to 16.' })
  })

  it('accept seconds and store milliseconds', () => {
    const typedHandshake = typedNumber('handshakeMs')
    expect(typedHandshake('1.5')).toEqual({ change: { handshakeMs: 1500 } })
    for (const bad of ['', '0.4', '601', 'x', '1e2'])
      expect(typedHandshake(bad)).toEqual({ problem: 'Enter seconds from 0.5 to 600.' })
  })

  it('B11: keep the first wait within the longest, whichever is typed', () => {
    const inForce = { firstWaitMs: 2_000, longestWaitMs: 10_000 }
    expect(typedNumber('firstWaitMs', inForce)('10')).toEqual({ change: { firstWaitMs: 10_000 } })
    expect(typedNumber('firstWaitMs', inForce)('10.1')).toEqual({
      problem: 'Enter at most 10 s, the longest delay.',
    })
    expect(typedNumber('longestWaitMs', inForce)('2')).toEqual({
      change: { longestWaitMs: 2_000 },
    })
    expect(typedNumber('longestWaitMs', inForce)('1.9')).toEqual({
      problem: 'Enter at least 2 s, the first delay.',
    })
    expect(typedNumber('breakerRestMs', inForce)('60')).toHaveProperty('change')
  })

  it('B11: accept a collector or none, and name a better place for secrets', () => {
    expect(typedCollector(' https://collector.example:4318/ ')).toEqual({
      change: { otlpEndpoint: 'https://collector.example:4318' },
    })
    expect(typedCollector('')).toEqual({ change: { otlpEndpoint: '' } })
    for (const bad of [
      'collector',
      'grpc://a',
      'https://me:word@a.example',
      'https://me@a.example',
      'https://a.example/v1?token=word',
      'https://a.example/?',
      'https://a.example#word',
    ])
      expect(typedCollector(bad)).toHaveProperty('problem')
    expect(JSON.stringify(typedCollector('https://a.example?token=word'))).toContain(
      'the environment variable OTEL_EXPORTER_OTLP_HEADERS',
    )
  })

  it('B11: warn of an unencrypted connection that others can read', () => {
    expect(openCollectorHost('http://collector.example:4318')).toBe('collector.example')
    expect(openCollectorHost('http://127.0.0.1.example')).toBe('127.0.0.1.example')
    for (const own of [
      '',
      'https://a.example',
      'http://localhost:1',
      'http://127.0.0.9',
      'http://[::1]:1',
    ])
      expect(openCollectorHost(own)).toBeNull()
  })
})
