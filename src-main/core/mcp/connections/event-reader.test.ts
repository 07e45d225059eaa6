import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { EventReader } from './event-reader'

const LIMIT = 150

/** Returns the events of a stream, in order; "large" replaces the data of an oversized event. */
function read(chunks: readonly Uint8Array[]): object[] {
  const reader = new EventReader(LIMIT)
  const events = chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)))
  return events.map(({ data, oversized, ...fields }) => ({
    ...fields,
    ...(data && { data: data.toString().trim() }),
    ...(oversized && { data: 'large' }),
  }))
}

const end = fc.constantFrom('\n', '\r\n', '\r')
const event = fc.record(
  {
    data: fc.integer({ min: 1, max: 250 }).map((length) => 'x'.repeat(length)),
    id: fc.stringMatching(/^[a-z0-9]{1,5}$/u),
    event: fc.constantFrom('message', 'endpoint'),
    retry: fc.nat().map(String),
  },
  { requiredKeys: [] },
)
const noise = fc.constantFrom(': a comment', 'unknown: 1', 'dat', 'datax: 1', 'id', 'x'.repeat(400))

describe('C10: an event stream', () => {
  it('is parsed with any line endings and chunk borders, and loses only oversized events', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(event, noise, end)),
        fc.array(fc.nat(), { maxLength: 20 }),
        (events, places) => {
          const text = events
            .map(([fields, junk, eol]) => {
              const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
              return [junk, ...lines, '', ''].join(eol)
            })
            .join('')
          const bytes = Buffer.from(text)
          const cuts = [0, ...places.map((at) => at % (bytes.length + 1)), bytes.length].toSorted(
            (a, b) => a - b,
          )
          const chunks = cuts.slice(1).map((to, index) => bytes.subarray(cuts[index], to))
          const expected = events
            .map(([fields]) => fields)
            .filter((fields) => Object.keys(fields).length > 0)
            .map((one) => ((one.data?.length ?? 0) > LIMIT ? { ...one, data: 'large' } : one))
          expect(read(chunks)).toEqual(expected)
        },
      ),
    )
  })

  it('joins the data lines of an event, and accepts empty data', () => {
    const text = '\u{FEFF}data: [1,\ndata:2]\n\nid: 7\ndata:\n\ndata: never ended'
    expect(read([Buffer.from(text)])).toEqual([{ data: '[1, 2]' }, { id: '7', data: '' }])
  })
})
