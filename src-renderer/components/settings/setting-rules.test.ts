import { describe, expect, it } from 'vitest'

import {
  openCollectorHost,
  typedClientDocument,
  typedCollector,
  typedNumber,
  typedRegistryUrl,
} from './settings-table'

describe('settings as they are typed', () => {
  it('takes a web address without the slash at its end and rejects other schemes', () => {
    expect(typedRegistryUrl(' http://127.0.0.1:8080/ ')).toEqual({
      change: { registryUrl: 'http://127.0.0.1:8080' },
    })
    for (const bad of ['', 'registry', 'file:///etc', 'javascript:alert(1)'])
      expect(typedRegistryUrl(bad)).toHaveProperty('problem')
  })

  it('C10: takes the address of a client metadata document as it is read, or none', () => {
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

  it('takes whole numbers in their range', () => {
    const typedSlots = typedNumber('installSlots')
    expect(typedSlots('16')).toEqual({ change: { installSlots: 16 } })
    for (const bad of ['', '0', '17', '1.5', '-1', '1e1'])
      expect(typedSlots(bad)).toEqual({ problem: 'Enter a whole number from 1 to 16.' })
  })

  it('takes seconds and keeps milliseconds', () => {
    const typedHandshake = typedNumber('handshakeMs')
    expect(typedHandshake('1.5')).toEqual({ change: { handshakeMs: 1500 } })
    for (const bad of ['', '0.4', '601', 'x', '1e2'])
      expect(typedHandshake(bad)).toEqual({ problem: 'Enter seconds from 0.5 to 600.' })
  })

  it('B11: keeps the first wait within the longest, no matter which of them is typed', () => {
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

  it('B11: takes a collector or none, and points to a better place for what is secret', () => {
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

  it('B11: warns of a way that others can read', () => {
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
